// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/space/space.hpp"
#include "support/all_close.hpp"
#include "support/tetrahedra.hpp"

using space::Boundary;

namespace {

mesh::Mesh make_simplices(mesh::CellKind kind) {
  mesh::Mesh mesh = kind == mesh::CellKind::triangle ? mesh::make_rectangle(kind, 7, 5) : make_tetrahedra(5, 4, 3);
  mesh::perturb(mesh, 0.1, 3);
  return mesh::shuffle(mesh, 4);
}

bool on_surface(const mesh::Point& x, int dim) {
  return std::any_of(x.begin(), x.begin() + dim, [](double c) { return c == 0 || c == 1; });
}

}  // namespace

TEST_CASE("The nodes of simplices are the vertices in use, numbered as cells meet them", "[space][simplices]") {
  const auto kind = GENERATE(mesh::CellKind::triangle, mesh::CellKind::tetrahedron);
  mesh::Mesh mesh = make_simplices(kind);
  mesh.vertices.push_back({9, 9, 9});  // of no cell

  const space::Space space = space::make_space(mesh, 1, 2, Boundary::neumann, Layout::aos);

  CHECK(space.kind == kind);
  CHECK(space.num_nodes == static_cast<Index>(mesh.vertices.size()) - 1);
  CHECK(space.num_dofs() == 2 * space.num_nodes);
  std::vector<Index> node_of(mesh.vertices.size(), -1);
  Index met = 0;
  const Map& nodes = space.element_to_node.host();
  REQUIRE(nodes.entries.size() == mesh.element_to_vertex.entries.size());
  for (std::size_t i = 0; i < nodes.entries.size(); ++i) {
    Index& node = node_of[mesh.element_to_vertex.entries[i]];
    if (node < 0) node = met++;
    CHECK(nodes.entries[i] == node);
  }
}

TEST_CASE("Nodes of simplices lie at their vertices", "[space][simplices]") {
  const mesh::Mesh mesh = make_simplices(GENERATE(mesh::CellKind::triangle, mesh::CellKind::tetrahedron));
  const space::Space space = space::make_space(mesh, 1, 1, Boundary::dirichlet);

  const std::vector<mesh::Point> points = node_points(mesh, space);

  CHECK(std::is_permutation(points.begin(), points.end(), mesh.vertices.begin(), mesh.vertices.end()));
}

TEST_CASE("A Dirichlet boundary masks the nodes of simplices on the surface and no others", "[space][simplices]") {
  const auto kind = GENERATE(mesh::CellKind::triangle, mesh::CellKind::tetrahedron);
  const mesh::Mesh mesh = make_simplices(kind);

  const space::Space space = space::make_space(mesh, 1, 3, Boundary::dirichlet);

  const std::vector<mesh::Point> points = node_points(mesh, space);
  const std::set<Index> masked(space.masked.begin(), space.masked.end());
  for (Index node = 0; node < space.num_nodes; ++node)
    CHECK(masked.count(node) == on_surface(points[node], mesh::dimension(kind)));
  CHECK(masked.size() == (kind == mesh::CellKind::triangle ? 24 : 120 - 4 * 3 * 2));
  const Map& nodes = space.element_to_node.host();
  for (std::size_t i = 0; i < nodes.entries.size(); ++i) {
    const Index node = nodes.entries[i] < 0 ? ~nodes.entries[i] : nodes.entries[i];
    CHECK((nodes.entries[i] < 0) == (masked.count(node) == 1));
  }
}

TEST_CASE("Simplices have order 1 only", "[space][simplices]") {
  const mesh::Mesh triangles = make_simplices(mesh::CellKind::triangle);
  const mesh::Mesh tetrahedra = make_simplices(mesh::CellKind::tetrahedron);

  CHECK_THROWS_AS(space::make_space(triangles, 2, 1, Boundary::neumann), InputError);
  CHECK_THROWS_WITH(space::make_space(triangles, 2, 1, Boundary::neumann),
                    contains("order 2 of triangles: accepted is 1"));
  CHECK_THROWS_WITH(space::make_space(tetrahedra, 0, 1, Boundary::neumann),
                    contains("order 0 of tetrahedra: accepted is 1"));
}
