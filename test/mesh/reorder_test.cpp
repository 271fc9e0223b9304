// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/reorder.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "miniapp/core/error.hpp"
#include "miniapp/mesh/entities.hpp"
#include "support/all_close.hpp"
#include "support/meshes.hpp"

using namespace miniapp;
using namespace miniapp::test;
using mesh::Order;

namespace {

/// Whether this build can make the order; warns where it cannot.
bool available(Order order) {
  if (mesh::why_not(order).empty()) return true;
  WARN("skipped " << mesh::name(order) << ": " << mesh::why_not(order));
  return false;
}

/// The largest difference of the places of two elements that share a face.
int bandwidth(const mesh::Mesh& mesh) {
  const mesh::ElementGraph graph = mesh::face_neighbours(mesh);
  int most = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int i = graph.offsets[e]; i < graph.offsets[e + 1]; ++i)
      most = std::max(most, std::abs(graph.neighbours[i] - int(e)));
  return most;
}

/// A box whose elements are in random order.
mesh::Mesh make_shuffled_box(int nx, int ny, int nz) {
  std::vector<Index> place(std::size_t(nx) * ny * nz);
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), std::mt19937(1));
  return mesh::reorder(make_turned_box(nx, ny, nz), place);
}

}  // namespace

TEST_CASE("Orders have the names that the command line uses", "[mesh][reorder]") {
  CHECK(mesh::name(Order::none) == "none");
  CHECK(mesh::name(Order::metis) == "metis");
  CHECK(mesh::name(Order::rcm) == "rcm");
}

TEST_CASE("Face neighbours are the elements that share a face, each seeing the other", "[mesh][reorder]") {
  const mesh::Mesh mesh = GENERATE(0, 1) ? make_turned_box(4, 3, 2) : make_fan(5, 2);
  const auto faces = to_host(mesh::find_faces(mesh).of_cell);
  std::multiset<std::pair<int, int>> expected, actual;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (std::size_t f = 0; f < mesh.num_elements(); ++f)
      for (int i = 0; i < 36; ++i)
        if (e != f && faces(6 * e + i / 6) == faces(6 * f + i % 6)) expected.insert({int(e), int(f)});

  const mesh::ElementGraph graph = mesh::face_neighbours(mesh);

  REQUIRE(graph.offsets.size() == mesh.num_elements() + 1);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int i = graph.offsets[e]; i < graph.offsets[e + 1]; ++i) actual.insert({int(e), graph.neighbours[i]});
  CHECK(actual == expected);
}

TEST_CASE("An order is a permutation of the elements", "[mesh][reorder]") {
  const Order order = GENERATE(Order::none, Order::metis, Order::rcm);
  const auto [nx, ny, nz] = GENERATE(table<int, int, int>({{1, 1, 1}, {3, 2, 5}, {9, 7, 8}}));
  if (!available(order)) return;

  std::vector<Index> place = mesh::make_order(make_turned_box(nx, ny, nz), order);

  std::vector<Index> all(std::size_t(nx) * ny * nz);
  std::iota(all.begin(), all.end(), 0);
  CHECK(std::is_permutation(place.begin(), place.end(), all.begin(), all.end()));
  if (order == Order::none) CHECK(place == all);
}

TEST_CASE("An order that the build lacks is bad input and says what is accepted", "[mesh][reorder]") {
  const Order order = GENERATE(Order::metis, Order::rcm);
  if (mesh::why_not(order).empty()) return;

  CHECK_THROWS_AS(mesh::make_order(make_turned_box(2, 2, 2), order), InputError);
  CHECK_THROWS_WITH(mesh::make_order(make_turned_box(2, 2, 2), order), contains("accepted are none"));
}

TEST_CASE("Reordering moves each element to its place and changes nothing else", "[mesh][reorder]") {
  const mesh::Mesh mesh = make_turned_box(2, 1, 3);
  const std::vector<Index> place{3, 0, 5, 1, 4, 2};

  const mesh::Mesh reordered = mesh::reorder(mesh, place);

  CHECK(reordered.vertices == mesh.vertices);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    CHECK(std::equal(mesh.element_to_vertex[e], mesh.element_to_vertex[e] + 8, reordered.element_to_vertex[place[e]]));
}

TEST_CASE("METIS keeps the elements of a part together: neighbours come closer than in a random order",
          "[mesh][reorder]") {
  if (!available(Order::metis)) return;
  const mesh::Mesh mesh = make_shuffled_box(8, 8, 8);
  const mesh::ElementGraph before = mesh::face_neighbours(mesh);

  const std::vector<Index> place = mesh::make_order(mesh, Order::metis);

  double shuffled = 0, ordered = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    for (int i = before.offsets[e]; i < before.offsets[e + 1]; ++i) {
      shuffled += std::abs(before.neighbours[i] - int(e));
      ordered += std::abs(place[before.neighbours[i]] - place[e]);
    }
  }
  CHECK(ordered < shuffled / 2);
}

TEST_CASE("Reverse Cuthill-McKee brings neighbours close together", "[mesh][reorder]") {
  if (!available(Order::rcm)) return;
  const mesh::Mesh mesh = make_shuffled_box(8, 8, 8);

  const mesh::Mesh reordered = mesh::reorder(mesh, mesh::make_order(mesh, Order::rcm));

  CHECK(bandwidth(reordered) < bandwidth(mesh) / 2);
}

TEST_CASE("METIS leaves a mesh of less than two parts as it is", "[mesh][reorder]") {
  if (!available(Order::metis)) return;
  std::vector<Index> all(50);
  std::iota(all.begin(), all.end(), 0);

  CHECK(mesh::make_order(make_shaken_box(50, 1, 1), Order::metis) == all);
}
