// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/split.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/catch.hpp"
#include "support/meshes.hpp"

namespace {

/// A box of 2 x 1 x 3 cells of a kind, with vertices moved a little, and with groups of two cells and of the plane x =
/// 0.
mesh::Mesh make_solid(mesh::CellKind kind) {
  mesh::Mesh mesh = kind == mesh::CellKind::tetrahedron ? mesh::make_tetrahedron_box(2, 1, 3)
                    : kind == mesh::CellKind::prism     ? mesh::make_prism_box(2, 1, 3)
                                                        : mesh::make_box(2, 1, 3);
  mesh::rotate_elements(mesh, 2);
  mesh.groups = {{"two", 3, {1, 4}, {}}, {"plane", 2, {}, {}}};
  for (Index e = 0; e < Index(mesh.num_elements()); ++e)
    for (int side = 0; side < mesh::cell(kind).num_faces; ++side) {
      const mesh::SideVertices own = mesh::side_vertices(mesh, {e, side});
      if (std::all_of(own.begin(), own.end(), [&](Index v) { return v < 0 || mesh.vertices[v][0] == 0; }))
        mesh.groups[1].sides.push_back({e, side});
    }
  return mesh;
}

/// Of all elements, by 8 Gauss points each.
double volume_of(const mesh::Mesh& mesh, std::size_t first, std::size_t last) {
  const basis::Rule rule = basis::gauss(2);
  double volume = 0;
  for (std::size_t e = first; e < last; ++e)
    for (const double t : rule.points)
      for (const double s : rule.points)
        for (const double r : rule.points) {
          double J[3][3];
          geometry::tangents(mesh::trilinear(mesh, e).front().data(), r, s, t, J);
          CHECK(geometry::determinant(J) > 0);
          volume += geometry::determinant(J);
        }
  return volume;
}

}  // namespace

TEST_CASE("Solids are cut into hexahedra that fill them and meet face to face", "[mesh][split]") {
  const auto [kind, pieces] = GENERATE(std::pair(mesh::CellKind::tetrahedron, 4), std::pair(mesh::CellKind::prism, 6),
                                       std::pair(mesh::CellKind::hexahedron, 8));
  const mesh::Mesh whole = make_solid(kind), cut = mesh::split_into_hexahedra(whole);
  REQUIRE(cut.num_elements() == pieces * whole.num_elements());
  CHECK_NOTHROW(mesh::require_vertices(cut));
  CHECK(volume_of(cut, 0, cut.num_elements()) == Approx(1));

  std::map<mesh::SideVertices, int> owners;
  for (Index e = 0; e < Index(cut.num_elements()); ++e)
    for (int side = 0; side < 6; ++side) ++owners[mesh::side_vertices(cut, {e, side})];
  double surface = 0;  // a closed surface has no sum of normals
  for (const auto& [vertices, count] : owners) {
    CHECK(count <= 2);
    if (count == 1)
      for (int d = 0; d < 3; ++d) {
        const double x = cut.vertices[vertices[0]][d];
        if (std::all_of(vertices.begin(), vertices.end(), [&](Index v) { return cut.vertices[v][d] == x; })) ++surface;
      }
  }
  CHECK(surface == double(std::count_if(owners.begin(), owners.end(), [](auto& face) { return face.second == 1; })));
}

TEST_CASE("Groups have the pieces of their cells and sides", "[mesh][split]") {
  const auto kind = GENERATE(mesh::CellKind::tetrahedron, mesh::CellKind::prism, mesh::CellKind::hexahedron);
  const mesh::Mesh whole = make_solid(kind), cut = mesh::split_into_hexahedra(whole);
  const auto pieces = std::size_t(mesh::pieces_of(kind));
  const std::vector<Index>& cells = cut.find_group("two")->cells;
  REQUIRE(cells.size() == 2 * pieces);
  for (std::size_t v = 0; v < pieces; ++v) {
    CHECK(cells[v] == Index(pieces + v));
    CHECK(cut.element_to_vertex[cells[v]][0] == whole.element_to_vertex[1][v]);
  }
  std::size_t vertices = 0;
  for (const mesh::CellSide& side : whole.find_group("plane")->sides)
    vertices += std::size_t(mesh::cell(kind).faces[side.side].size);
  const std::vector<mesh::CellSide>& sides = cut.find_group("plane")->sides;
  CHECK(sides.size() == vertices);
  CHECK(std::is_sorted(sides.begin(), sides.end()));
  for (const mesh::CellSide& side : sides)
    for (const Index v : mesh::side_vertices(cut, side)) CHECK(cut.vertices[v][0] == 0);
}

TEST_CASE("Plane and curved cells are not cut", "[mesh][split]") {
  CHECK_THROWS_WITH(mesh::split_into_hexahedra(mesh::make_rectangle(mesh::CellKind::triangle, 1, 1)),
                    contains("triangles: are plane; accepted are tetrahedra, prisms, hexahedra"));
  mesh::Mesh curved = mesh::make_box(1, 1, 1);
  mesh::curve(curved, 2, [](const mesh::Point& x) { return x; });
  CHECK_THROWS_WITH(mesh::split_into_hexahedra(curved), contains("accepted are elements with straight edges"));
}
