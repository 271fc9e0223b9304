// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/entities.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "miniapp/mesh/generate_2d.hpp"

#include "support/all_close.hpp"
#include "support/meshes.hpp"
#include "support/prism_meshes.hpp"
#include "support/tetrahedra.hpp"

using namespace miniapp;
using namespace miniapp::test;

namespace {

mesh::Mesh make_ball(int which) {
  if (which == 0) return make_turned_box(1, 1, 1);
  if (which == 1) return make_turned_box(7, 3, 2);
  if (which == 2) return make_fan(3, 2);
  if (which == 3) return make_fan(5, 3);
  if (which == 4) return make_shaken_prisms(3, 2, 4);
  return make_tetrahedra(3, 2, 4);
}

/// Triangles that all share one vertex.
mesh::Mesh make_star(int triangles) {
  mesh::Mesh mesh{std::vector<mesh::Point>(triangles + 1), Map(triangles, 3), mesh::CellKind::triangle};
  for (Index t = 0; t < triangles; ++t) {
    Index* const v = mesh.element_to_vertex[t];
    v[t % 3] = 0, v[(t + 1) % 3] = 1 + t, v[(t + 2) % 3] = 1 + (t + 7) % triangles;
  }
  return mesh;
}

/// Entities are right if cells have the same number where they have the same set of vertices and nowhere else, and if
/// numbers follow the order of uses.
void check_entities(const mesh::Mesh& mesh, const mesh::Entities& entities, int slots, const mesh::Side* sides) {
  const auto of_cell = to_host(entities.of_cell), multiplicity = to_host(entities.multiplicity);
  std::map<std::set<Index>, Index> numbers;
  std::vector<Index> uses;
  REQUIRE(entities.slots == slots);
  REQUIRE(of_cell.extent(0) == mesh.num_elements() * slots);
  std::size_t wrong = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int s = 0; s < slots; ++s) {
      std::set<Index> vertices;
      for (int c = 0; c < sides[s].size; ++c) vertices.insert(mesh.element_to_vertex[e][sides[s].vertices[c]]);
      const auto [known, is_new] = numbers.emplace(vertices, static_cast<Index>(uses.size()));
      if (is_new) uses.push_back(0);
      wrong += of_cell(e * slots + s) != known->second;
      ++uses[known->second];
    }
  CHECK(wrong == 0);
  REQUIRE(entities.size() == uses.size());
  CHECK(std::equal(uses.begin(), uses.end(), multiplicity.data()));
}

/// How many entities have each multiplicity.
std::map<Index, int> histogram(const mesh::Entities& entities) {
  std::map<Index, int> counts;
  const auto multiplicity = to_host(entities.multiplicity);
  for (std::size_t i = 0; i < entities.size(); ++i) ++counts[multiplicity(i)];
  return counts;
}

}  // namespace

TEST_CASE("Vertices, edges, faces and elements obey Euler's formula of a ball", "[mesh][entities]") {
  const mesh::Mesh mesh = make_ball(GENERATE(range(0, 6)));

  const auto edges = mesh::find_edges(mesh).size(), faces = mesh::find_faces(mesh).size();

  CHECK(mesh.vertices.size() + faces == edges + mesh.num_elements() + 1);
}

TEST_CASE("A box has the numbers of edges and faces counted by hand", "[mesh][entities]") {
  const int x = 7, y = 3, z = 2;
  const mesh::Mesh mesh = make_turned_box(x, y, z);

  CHECK(int(mesh::find_edges(mesh).size()) == x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z);
  CHECK(int(mesh::find_faces(mesh).size()) == x * y * (z + 1) + x * (y + 1) * z + (x + 1) * y * z);
}

TEST_CASE("Cells share an edge's or a face's number if and only if they share its vertices, in the order of uses",
          "[mesh][entities]") {
  const mesh::Mesh mesh = make_ball(GENERATE(range(0, 6)));
  const mesh::Cell& cell = mesh::cell(mesh.kind);

  check_entities(mesh, mesh::find_edges(mesh), cell.num_edges, cell.edges);
  check_entities(mesh, mesh::find_faces(mesh), cell.num_faces, cell.faces);
}

TEST_CASE("Any number of cells may meet at a vertex", "[mesh][entities]") {
  const mesh::Mesh mesh = make_star(GENERATE(8, 16, 17, 100, 1000));
  const mesh::Cell& cell = mesh::cell(mesh.kind);

  check_entities(mesh, mesh::find_edges(mesh), cell.num_edges, cell.edges);
}

TEST_CASE("Plane cells have edges and no faces, and no cells have neither", "[mesh][entities]") {
  const mesh::Mesh plane = mesh::make_rectangle(mesh::CellKind::quadrilateral, 4, 3);

  CHECK(mesh::find_edges(plane).size() == 4 * 4 + 5 * 3);
  CHECK(mesh::find_faces(plane).size() == 0);
  CHECK(mesh::find_edges({{}, Map(0, 8), mesh::CellKind::hexahedron}).size() == 0);
}

TEST_CASE("Multiplicities count the elements at each edge and face", "[mesh][entities]") {
  const int x = 4, y = 3, z = 2;
  const mesh::Mesh mesh = make_turned_box(x, y, z);
  const int surface = 2 * (x * y + x * z + y * z), inner = (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1),
            rim = 4 * (x + y + z), inner_lines = x * (y - 1) * (z - 1) + (x - 1) * y * (z - 1) + (x - 1) * (y - 1) * z;

  const auto faces = histogram(mesh::find_faces(mesh)), edges = histogram(mesh::find_edges(mesh));

  CHECK(faces == std::map<Index, int>{{1, surface}, {2, inner}});
  CHECK(edges.at(1) == rim);
  CHECK(edges.at(4) == inner_lines);
}

TEST_CASE("An edge may belong to any number of elements", "[mesh][entities]") {
  const int sectors = GENERATE(3, 5), layers = 2;

  const auto edges = histogram(mesh::find_edges(make_fan(sectors, layers)));

  CHECK(edges.rbegin()->first == (sectors > 4 ? sectors : 4));
  CHECK(edges.at(sectors) >= layers);
}
