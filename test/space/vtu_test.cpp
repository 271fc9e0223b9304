// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/vtu.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/catch.hpp"
#include "support/meshes.hpp"

TEST_CASE("A Lagrange hexahedron has each node once, and its corners counter-clockwise", "[space][vtu]") {
  const int order = GENERATE(1, 2, 3, 4, 7);
  std::set<int> places;
  for (int k = 0; k <= order; ++k)
    for (int j = 0; j <= order; ++j)
      for (int i = 0; i <= order; ++i) places.insert(space::vtk_node(order, i, j, k));

  CHECK(places.size() == std::size_t((order + 1) * (order + 1) * (order + 1)));
  CHECK(*places.rbegin() == int(places.size()) - 1);
  CHECK(space::vtk_node(order, order, order, 0) == 2);
  CHECK(space::vtk_node(order, 0, order, order) == 7);
}

TEST_CASE("A Lagrange wedge has each node once, its corners, then edges, triangles, quadrilaterals", "[space][vtu]") {
  const int order = GENERATE(1, 2, 3, 4, 7);
  std::set<int> places;
  for (int k = 0; k <= order; ++k)
    for (int j = 0; j <= order; ++j)
      for (int i = 0; i + j <= order; ++i) places.insert(space::vtk_prism_node(order, i, j, k));

  CHECK(places.size() == std::size_t((order + 1) * (order + 1) * (order + 2) / 2));
  CHECK(*places.rbegin() == int(places.size()) - 1);
  CHECK(space::vtk_prism_node(order, order, 0, 0) == 1);
  CHECK(space::vtk_prism_node(order, 0, order, order) == 5);
}

TEST_CASE("Lagrange wedges are numbered as VTK numbers them", "[space][vtu]") {
  // vtkLagrangeWedge::PointIndexFromIJK(i, j, k, order) of VTK 9.1
  CHECK(space::vtk_prism_node(3, 1, 0, 0) == 6);
  CHECK(space::vtk_prism_node(3, 2, 1, 0) == 8);
  CHECK(space::vtk_prism_node(3, 0, 2, 0) == 10);
  CHECK(space::vtk_prism_node(3, 0, 1, 3) == 17);
  CHECK(space::vtk_prism_node(3, 0, 3, 2) == 23);
  CHECK(space::vtk_prism_node(3, 1, 1, 0) == 24);
  CHECK(space::vtk_prism_node(3, 2, 0, 2) == 29);
  CHECK(space::vtk_prism_node(3, 1, 2, 1) == 31);
  CHECK(space::vtk_prism_node(3, 0, 1, 1) == 35);
  CHECK(space::vtk_prism_node(3, 1, 1, 2) == 39);
  CHECK(space::vtk_prism_node(4, 1, 2, 4) == 38);
  CHECK(space::vtk_prism_node(4, 1, 2, 1) == 68);
}

TEST_CASE("Fields of another size, and other cells, are refused", "[space][vtu]") {
  const mesh::Mesh box = mesh::make_box(2, 1, 1);
  const space::Space nodes = space::make_space(box, 2, 1, Boundary::neumann);
  CHECK_THROWS_WITH(space::vtu(box, nodes, {{"u", {1, 2}}}, {}),
                    contains("2 values; accepted is one for each of 45 nodes"));
  CHECK_THROWS_WITH(space::vtu(box, nodes, {}, {{"k", {1}}}),
                    contains("1 values; accepted is one for each of 2 elements"));
  const mesh::Mesh prisms = mesh::make_prism_box(1, 1, 1);
  const auto zero = [](std::int64_t, int, const double*, const double*, const double*, double*) {};
  CHECK_THROWS_WITH(space::vtu(prisms, space::make_space(prisms, 1, 1, Boundary::neumann), {}, {}, zero),
                    contains("prisms of order 1 with a function"));
  CHECK_THROWS_WITH(space::vtu(box, nodes, {{"v", {1, 2}, 3}}, {}),
                    contains("2 values; accepted are 3 for each of 45"));
}

TEST_CASE("The list of files of ranks has the arrays of each", "[space][vtu]") {
  const mesh::Mesh triangles = mesh::make_rectangle(mesh::CellKind::triangle, 1, 1);
  const std::string piece = space::vtu(triangles, space::make_space(triangles, 1, 2, Boundary::neumann, Layout::aos),
                                       {{"u", std::vector<double>(8, 1), 2}}, {{"rank", {0, 0}}});
  const std::string list = space::pvtu(piece, {"a<b.vtu", "c.vtu"});
  CHECK_THAT(piece, contains("<DataArray type=\"Float64\" Name=\"u\" NumberOfComponents=\"3\" format"));
  CHECK_THAT(list, contains("<PPointData>\n<PDataArray type=\"Float64\" Name=\"u\" NumberOfComponents=\"3\"/>\n"
                            "</PPointData>\n<PCellData>\n<PDataArray type=\"Float64\" Name=\"rank\" "
                            "NumberOfComponents=\"1\"/>\n</PCellData>\n<PPoints>\n<PDataArray type=\"Float64\" "
                            "Name=\"points\" NumberOfComponents=\"3\"/>\n</PPoints>\n"
                            "<Piece Source=\"a&lt;b.vtu\"/>\n<Piece Source=\"c.vtu\"/>\n</PUnstructuredGrid>"));
}

TEST_CASE("The nodes of sides are those whose coordinates lie there", "[space][sides]") {
  const int order = GENERATE(1, 2, 5);
  mesh::Mesh box = mesh::make_box(2, 3, 2);
  mesh::rotate_elements(box, 3);
  const space::Space nodes = space::make_space(box, order, 1, GENERATE(Boundary::neumann, Boundary::dirichlet));
  const std::vector<mesh::Point> points = space::node_points(box, nodes);
  std::vector<mesh::CellSide> sides;  // of x = 0
  for (Index e = 0; e < Index(box.num_elements()); ++e)
    for (int side = 0; side < 6; ++side) {
      const mesh::SideVertices vertices = mesh::side_vertices(box, {e, side});
      if (std::all_of(vertices.begin(), vertices.end(), [&](Index v) { return box.vertices[v][0] == 0; }))
        sides.push_back({e, side});
    }
  std::vector<Index> expected;
  for (Index node = 0; node < nodes.num_nodes; ++node)
    if (std::abs(points[node][0]) < 1e-12) expected.push_back(node);

  CHECK(sides.size() == 6);
  CHECK(space::side_nodes(nodes, sides) == expected);
}

TEST_CASE("The nodes of sides of prisms are those whose coordinates lie there", "[space][sides]") {
  const int order = GENERATE(1, 2, 5), axis = GENERATE(0, 1, 2);
  mesh::Mesh box = mesh::make_prism_box(2, 3, 2);
  mesh::rotate_elements(box, 3);
  const space::Space nodes = space::make_space(box, order, 1, Boundary::neumann);
  const std::vector<mesh::Point> points = space::node_points(box, nodes);
  std::vector<mesh::CellSide> sides;
  for (const mesh::CellSide& side : space::surface_sides(box)) {
    const mesh::SideVertices vertices = mesh::side_vertices(box, side);
    if (std::all_of(vertices.begin(), vertices.end(), [&](Index v) { return v < 0 || box.vertices[v][axis] == 0; }))
      sides.push_back(side);
  }
  std::vector<Index> expected;
  for (Index node = 0; node < nodes.num_nodes; ++node)
    if (std::abs(points[node][axis]) < 1e-12) expected.push_back(node);

  CHECK(sides.size() == (axis == 0 ? 6 : axis == 1 ? 4 : 12));
  CHECK(space::side_nodes(nodes, sides) == expected);
  CHECK(space::surface_sides(box).size() == 2 * 12 + 2 * (6 + 4));
}

TEST_CASE("Nodes lie on curved elements, whose neighbours have to agree on them", "[space][curved]") {
  const auto bent = [](const mesh::Point& x) {
    return mesh::Point{x[0] + 0.2 * x[1] * x[1], x[1], x[2] - 0.1 * x[0] * x[1]};
  };
  mesh::Mesh box = mesh::make_box(2, 2, 2);
  mesh::rotate_elements(box, 5);
  const space::Space nodes = space::make_space(box, 3, 1, Boundary::neumann);
  const std::vector<mesh::Point> straight = space::node_points(box, nodes);
  mesh::curve(box, 2, bent);
  const std::vector<mesh::Point> points = space::node_points(box, nodes);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int d = 0; d < 3; ++d) CHECK(std::abs(points[i][d] - bent(straight[i])[d]) < 1e-13);

  CHECK_NOTHROW(space::require_matching_nodes(box));
  box.curved.nodes[7 * 27 + 4][1] += 0.01;  // in the middle of a side: of the surface, or between elements
  box.curved.nodes[7 * 27 + 22][1] += 0.01;
  CHECK_THROWS_WITH(space::require_matching_nodes(box), contains("element 8 has a node elsewhere than its neighbour"));
}
