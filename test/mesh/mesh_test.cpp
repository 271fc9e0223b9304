// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/mesh.hpp"

#include <map>
#include <set>

#include "support/all_close.hpp"
#include "support/meshes.hpp"

using namespace miniapp;
using namespace miniapp::test;

namespace {

mesh::Mesh make_ball(int which) {
  if (which == 0) return make_turned_box(1, 1, 1);
  if (which == 1) return make_turned_box(7, 3, 2);
  if (which == 2) return make_fan(3, 2);
  return make_fan(5, 3);
}

/// Vertex sets of entity `number` as seen from every element that has it: all equal where entities are right.
template <int slots, int corners>
void check_entities(const mesh::Mesh& mesh, const mesh::Entities& entities, const int (&vertices)[slots][corners]) {
  std::map<mesh::Index, std::set<std::set<mesh::Index>>> seen;
  std::map<std::set<mesh::Index>, std::set<mesh::Index>> numbers;
  std::map<mesh::Index, int> uses;
  REQUIRE(entities.of_element.arity == slots);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    for (int s = 0; s < slots; ++s) {
      std::set<mesh::Index> corner_set;
      for (const int v : vertices[s]) corner_set.insert(mesh.element_to_vertex[e][v]);
      const mesh::Index number = entities.of_element[e][s];
      seen[number].insert(corner_set);
      numbers[corner_set].insert(number);
      ++uses[number];
    }
  }
  CHECK(seen.size() == entities.size());
  CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& entity) { return entity.second.size() == 1; }));
  CHECK(std::all_of(numbers.begin(), numbers.end(), [](const auto& set) { return set.second.size() == 1; }));
  CHECK(std::all_of(uses.begin(), uses.end(), [&](const auto& use) {
    return use.first >= 0 && entities.multiplicity.at(use.first) == use.second;
  }));
}

/// How many entities have each multiplicity.
std::map<mesh::Index, int> histogram(const mesh::Entities& entities) {
  std::map<mesh::Index, int> counts;
  for (const mesh::Index m : entities.multiplicity) ++counts[m];
  return counts;
}

}  // namespace

TEST_CASE("Vertices, edges, faces and elements obey Euler's formula of a ball", "[mesh][entities]") {
  const mesh::Mesh mesh = make_ball(GENERATE(range(0, 4)));

  const auto edges = mesh::find_edges(mesh).size(), faces = mesh::find_faces(mesh).size();

  CHECK(mesh.vertices.size() + faces == edges + mesh.num_elements() + 1);
}

TEST_CASE("A box has the edges and faces that one counts by hand", "[mesh][entities]") {
  const int x = 7, y = 3, z = 2;
  const mesh::Mesh mesh = make_turned_box(x, y, z);

  CHECK(int(mesh::find_edges(mesh).size()) == x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z);
  CHECK(int(mesh::find_faces(mesh).size()) == x * y * (z + 1) + x * (y + 1) * z + (x + 1) * y * z);
}

TEST_CASE("Elements share an edge's or a face's number if and only if they share its vertices", "[mesh][entities]") {
  const mesh::Mesh mesh = make_ball(GENERATE(range(0, 4)));

  check_entities(mesh, mesh::find_edges(mesh), mesh::edge_vertices);
  check_entities(mesh, mesh::find_faces(mesh), mesh::face_vertices);
}

TEST_CASE("Multiplicities count the elements at each edge and face", "[mesh][entities]") {
  const int x = 4, y = 3, z = 2;
  const mesh::Mesh mesh = make_turned_box(x, y, z);
  const int surface = 2 * (x * y + x * z + y * z), inner = (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1),
            rim = 4 * (x + y + z), inner_lines = x * (y - 1) * (z - 1) + (x - 1) * y * (z - 1) + (x - 1) * (y - 1) * z;

  const auto faces = histogram(mesh::find_faces(mesh)), edges = histogram(mesh::find_edges(mesh));

  CHECK(faces == std::map<mesh::Index, int>{{1, surface}, {2, inner}});
  CHECK(edges.at(1) == rim);
  CHECK(edges.at(4) == inner_lines);
}

TEST_CASE("An edge may belong to any number of elements", "[mesh][entities]") {
  const int sectors = GENERATE(3, 5), layers = 2;

  const auto edges = histogram(mesh::find_edges(make_fan(sectors, layers)));

  CHECK(edges.rbegin()->first == (sectors > 4 ? sectors : 4));
  CHECK(edges.at(sectors) >= layers);
}

TEST_CASE("Numbers follow the order in which elements meet edges and faces", "[mesh][entities]") {
  const mesh::Mesh mesh = make_turned_box(3, 2, 5);

  for (const mesh::Entities& entities : {mesh::find_edges(mesh), mesh::find_faces(mesh)}) {
    mesh::Index next = 0;
    for (const mesh::Index number : entities.of_element.entries) {
      CHECK(number <= next);
      next = std::max(next, number + 1);
    }
  }
}

TEST_CASE("Local faces and edges lie where their comments say", "[mesh]") {
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, side = face % 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    for (int entry = 0; entry < 4; ++entry)
      CHECK(mesh::face_vertices[face][entry] == (side << axis | (entry & 1) << first | (entry >> 1) << second));
  }
  for (int edge = 0; edge < 12; ++edge) {
    const int axis = edge / 4;
    CHECK((mesh::edge_vertices[edge][0] >> axis & 1) == 0);
    CHECK(mesh::edge_vertices[edge][1] == (mesh::edge_vertices[edge][0] | 1 << axis));
  }
}

TEST_CASE("The trilinear map takes corners to vertices", "[mesh][trilinear]") {
  const mesh::Mesh mesh = make_turned_box(3, 2, 5);

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Trilinear c = mesh::trilinear(mesh, e);
    for (int v = 0; v < 8; ++v) {
      const mesh::Point x = evaluate(c, v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1);
      CHECK(distance(x, mesh.vertices[mesh.element_to_vertex[e][v]]) <= tolerance<double>(8, 5));
    }
  }
}

TEST_CASE("The trilinear map of a box is affine: its size and its centre", "[mesh][trilinear]") {
  const mesh::Mesh mesh = mesh::make_box(4, 2, 1);

  const mesh::Trilinear c = mesh::trilinear(mesh, 0);

  CHECK(c[0] == mesh::Point{0.125, 0.25, 0.5});
  CHECK(c[1] == mesh::Point{0.125, 0, 0});
  CHECK(c[2] == mesh::Point{0, 0.25, 0});
  CHECK(c[4] == mesh::Point{0, 0, 0.5});
  for (const int q : {3, 5, 6, 7}) CHECK(c[q] == mesh::Point{0, 0, 0});
}
