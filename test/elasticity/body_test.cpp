// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/body.hpp"

#include <numeric>

#include "elasticity/free_motion.hpp"
#include "miniapp/elasticity/assembly.hpp"
#include "miniapp/elasticity/cantilever.hpp"
#include "miniapp/elasticity/side_integral.hpp"
#include "support/methods.hpp"
#include "support/prism_meshes.hpp"
#include "support/vectors.hpp"

using elasticity::Body;
using elasticity::PreparedBody;

namespace {

/// A box of 3 x 2 x 2 cells over [0, 3] x [0, 2] x [0, 1] with vertices moved inside it and in its sides; its sides
/// have groups x0, x1, y0 .. of prisms that are turned at random, and elements below x = 1.5 the group "left".
mesh::Mesh make_block() {
  mesh::Mesh mesh = mesh::make_prism_box(3, 2, 2);
  for (mesh::Point& x : mesh.vertices) {
    const double bump = x[0] * (1 - x[0]), across = x[1] * (1 - x[1]), up = x[2] * (1 - x[2]);
    x = {3 * (x[0] + 0.5 * bump * (x[1] - 0.6)), 2 * (x[1] + 0.5 * across * x[2]), x[2] - 0.4 * up * (1 + x[0])};
  }
  mesh::rotate_elements(mesh, 3);
  const double ends[3] = {3, 2, 1};
  for (int side = 0; side < 6; ++side)
    mesh.groups.push_back({std::string(1, "xyz"[side / 2]) + "01" [side % 2], 2, {}, {}});
  for (const mesh::CellSide& side : space::surface_sides(mesh)) {
    const mesh::SideVertices vertices = mesh::side_vertices(mesh, side);
    for (int plane = 0; plane < 6; ++plane)
      if (std::all_of(vertices.begin(), vertices.end(), [&](Index v) {
            return v < 0 || std::fabs(mesh.vertices[v][plane / 2] - plane % 2 * ends[plane / 2]) < 1e-12;
          }))
        mesh.groups[plane].sides.push_back(side);
  }
  mesh.groups.push_back({"left", 3, {}, {}});
  for (Index e = 0; e < Index(mesh.num_elements()); ++e)
    if (mesh.vertices[mesh.element_to_vertex[e][0]][0] < 1.5) mesh.groups.back().cells.push_back(e);
  return mesh;
}

auto constant(double x, double y, double z) {
  return [=](const mesh::Point&, const mesh::Point&) { return mesh::Point{x, y, z}; };
}
auto pressure(double p) {
  return [=](const mesh::Point&, const mesh::Point& n) { return mesh::Point{-p * n[0], -p * n[1], -p * n[2]}; };
}

linalg::BlockMatrix<double> assemble(const PreparedBody& body) {
  auto matrix = elasticity::assemble<double>(Instance(), body.prisms, body.space,
                                             {test::methods(body.space.order).back(), 1 << 22});
  matrix.hold(Instance(), body.held);
  return matrix;
}

std::vector<double> solve(const PreparedBody& body, const mesh::Mesh& mesh) {
  const auto matrix = assemble(body);
  const Vector<double> load = to_device<double>(body.load), u = make_vector<double>("u", body.load.size());
  const auto cg = elasticity::solve<double>(
      Instance(), matrix,
      *elasticity::make_preconditioner(elasticity::ElasticPreconditioner::block_jacobi, mesh, matrix), load, u,
      {1e-12, 5000, {}});
  CHECK(cg.converged());
  return to_std(u);
}

int built_order() { return test::methods(2).empty() ? 1 : 2; }

}  // namespace

TEST_CASE("A bar that is pulled stretches and narrows as Hooke says, on prisms of any shape", "[elasticity][body]") {
  const int order = GENERATE(1, 2, 3);
  if (test::methods(order).empty()) return;
  Body body;
  body.material = {"", 200, 0.25, 0};
  body.held = {{"x0", {true, false, false}}, {"y0", {false, true, false}}, {"z0", {false, false, true}}};
  body.tractions = {{"x1", constant(10, 0, 0)}};
  const mesh::Mesh mesh = make_block();
  const PreparedBody prepared = prepare(body, mesh, order);
  const std::vector<double> u = solve(prepared, mesh);
  const std::vector<mesh::Point> points = node_points(mesh, prepared.space);
  double error = 0;
  for (std::size_t node = 0; node < points.size(); ++node)
    for (int c = 0; c < 3; ++c)
      error = std::max(error, std::fabs(u[3 * node + c] - (c == 0 ? 0.05 : -0.0125) * points[node][c]));
  CHECK(error < 1e-11);
  for (const double stress : von_mises(prepared, u)) CHECK(stress == Approx(10).epsilon(1e-9));

  const std::vector<double> forces = internal_forces(prepared, u);
  const mesh::Point support = sum_of(prepared, forces, true);
  CHECK(prepared.total[0] == Approx(20));
  CHECK(support[0] == Approx(-20));
  CHECK(std::fabs(support[1]) + std::fabs(support[2]) < 1e-9);
}

TEST_CASE("Held components are zero in the solution, and the others are free", "[elasticity][body]") {
  Body body;
  body.held = {{"x0"}, {"y0", {false, true, true}}};
  body.tractions = {{"z1", constant(3, 2, 1)}};
  const mesh::Mesh mesh = make_block();
  const PreparedBody prepared = prepare(body, mesh, built_order());
  const std::vector<double> u = solve(prepared, mesh);
  const std::vector<mesh::Point> points = node_points(mesh, prepared.space);
  std::int64_t held = 0;
  for (std::size_t node = 0; node < points.size(); ++node)
    for (int c = 0; c < 3; ++c) {
      const bool expected = points[node][0] < 1e-9 || (points[node][1] < 1e-9 && c > 0);
      held += expected;
      CHECK((prepared.held[3 * node + c] != 0) == expected);
      CHECK((u[3 * node + c] == 0) == expected);
    }
  CHECK(prepared.dofs == std::int64_t(u.size()) - held);
}

TEST_CASE("Linear displacements pass the patch test on shaken prisms, and A u is that of stresses",
          "[elasticity][body]") {
  const int order = GENERATE(1, 2, 3, 4);
  if (test::methods(order).empty()) return;
  Body body;
  body.of_groups = {{"left", 3e9, 0.4, 0}};
  body.held = {{"x0"}, {"y1", {true, false, true}}};
  mesh::Mesh mesh = make_block();
  const mesh::Mesh straight = mesh;
  for (mesh::Point& x : mesh.vertices)  // sides of the box are no planes any more
    x = {x[0] + 0.1 * std::sin(3 * x[1] + 2 * x[2]), x[1] + 0.1 * std::cos(x[0] + 4 * x[2]), x[2] + 0.1 * x[0] * x[1]};
  const PreparedBody prepared = prepare(body, mesh, order);
  const auto matrix = assemble(prepared);
  const elasticity::BodyErrors errors = verify(prepared, mesh, matrix);
  CHECK(errors.patch < 1);
  CHECK(errors.matrix < 1);

  const PreparedBody other = prepare(body, straight, order);
  CHECK(verify(other, mesh, matrix).patch > 1e6);  // sides that are not those of the elements
  CHECK(verify(other, straight, matrix).matrix > 1e6);
}

TEST_CASE("The nodal forces of tractions have their sums and moments", "[elasticity][body]") {
  const int order = GENERATE(range(1, 8));
  Body body;
  body.held = {{"x0"}};
  body.tractions = {{"x1",
                     [](const mesh::Point& x, const mesh::Point&) {
                       return mesh::Point{x[1] * x[2], 1, x[1]};
                     }},
                    {"z1", constant(0, 0, -2)}};
  const mesh::Mesh mesh = make_block();
  const PreparedBody prepared = prepare(body, mesh, order);
  const std::vector<mesh::Point> points = node_points(mesh, prepared.space);
  double moment = 0;  // about x
  for (std::size_t node = 0; node < points.size(); ++node)
    moment += points[node][1] * prepared.force[3 * node + 2] - points[node][2] * prepared.force[3 * node + 1];
  CHECK(prepared.total[0] == Approx(1));  // int y z over [0, 2] x [0, 1]
  CHECK(prepared.total[1] == Approx(2));
  CHECK(prepared.total[2] == Approx(2 - 12));
  CHECK(moment == Approx(8. / 3 - 1 - 12));  // int y y - z, of z1: int -2 y over [0, 3] x [0, 2]
}

TEST_CASE("A pressure on a whole surface has no resultant, whatever its shape", "[elasticity][body]") {
  const int order = GENERATE(1, 2, 5);
  mesh::Mesh mesh = make_shaken_prisms(3, 2, 2);
  mesh.groups = {{"skin", 2, {}, space::surface_sides(mesh)}, {"bed", 2, {}, {}}};
  mesh.groups[1].sides = {mesh.groups[0].sides[0], mesh.groups[0].sides[1]};
  Body body;
  body.held = {{"bed"}};
  body.tractions = {{"skin", pressure(7)}};
  const PreparedBody prepared = prepare(body, mesh, order);
  double size = 0;
  for (const double force : prepared.force) size += std::fabs(force);
  CHECK(size > 50);
  for (const double component : prepared.total) CHECK(std::fabs(component) < 1e-12 * size);
}

TEST_CASE("Gravity pulls with the weight of each material", "[elasticity][body]") {
  const int order = GENERATE(range(1, 8));
  const mesh::Mesh mesh = make_block();
  Body body;
  body.material.density = 2;
  body.of_groups = {{"left", 1, 0.1, 5}};
  body.gravity = {0, 3, -10};
  body.held = {{"z0"}};
  const PreparedBody prepared = prepare(body, mesh, order);
  double left = 0;  // the volume of the group, by Gauss' theorem: int x n_x dA over all of its sides
  std::vector<mesh::CellSide> sides;
  for (const Index cell : mesh.groups[6].cells)
    for (int side = 0; side < 5; ++side) sides.push_back({cell, side});
  const std::vector<double> parts = elasticity::integrate_sides(
      mesh, prepared.space, sides, [](std::size_t, const mesh::Point& x, const mesh::Point& n) {
        return mesh::Point{x[0] * n[0], 0, 0};
      });
  left = std::accumulate(parts.begin(), parts.end(), 0.);
  CHECK(left > 1);
  const double mass = 2 * (6 - left) + 5 * left;
  CHECK(std::fabs(prepared.total[0]) < 1e-12);
  CHECK(prepared.total[1] == Approx(3 * mass));
  CHECK(prepared.total[2] == Approx(-10 * mass));
}

TEST_CASE("Elements have the material of the last group that they belong to", "[elasticity][body]") {
  const mesh::Mesh mesh = make_block();
  Body body;
  body.material = {"", 2, 0.25, 0};
  body.of_groups = {{"left", 7, 0.1, 0}, {"left", 5, 0, 0}};
  body.held = {{"x0"}};
  const PreparedBody prepared = prepare(body, mesh, 1);
  const std::vector<Index>& left = mesh.groups[6].cells;
  for (Index e = 0; e < Index(mesh.num_elements()); ++e) {
    const bool is_left = std::binary_search(left.begin(), left.end(), e);
    CHECK(prepared.prisms.materials[2 * e] == Approx(is_left ? 0 : 0.8).margin(1e-14));
    CHECK(prepared.prisms.materials[2 * e + 1] == Approx(is_left ? 2.5 : 0.8));
  }
}

TEST_CASE("A body that is held at two points turns about the line through them", "[elasticity][body]") {
  elasticity::HeldMotions motions;
  CHECK(motions.left() == "to move along (1, 0, 0)");
  for (int c = 0; c < 3; ++c) motions.hold({0.1, -0.2, 0.3}, c);
  CHECK_THAT(motions.left(), contains("to turn about an axis along"));
  for (int c = 0; c < 3; ++c) motions.hold({0.1 + 0.2, -0.2 + 0.4, 0.3 - 0.4}, c);
  CHECK(motions.left() == "to turn about an axis along (0.333, 0.667, -0.667)");
  motions.hold({0.4, 0.1, 0.2}, 0);
  CHECK(motions.left().empty());
}

TEST_CASE("A body that can move is refused, with the motion", "[elasticity][body]") {
  mesh::Mesh mesh = make_block();
  Body body;
  body.tractions = {{"x1", constant(1, 0, 0)}};
  const auto refusal = [&] {
    try {
      check(body, mesh);
    } catch (const InputError& error) {
      CHECK(error.argument == "held");
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refusal(), contains("leaves the body free to move along (1, 0, 0)"));
  body.held = {{"x0", {true, false, false}}, {"y0", {false, true, false}}};
  CHECK_THAT(refusal(), contains("held x0, y0: leaves the body free to move along (0, 0, 1)"));
  body.held = {{"z0", {true, true, false}}, {"z1", {false, false, true}}};
  CHECK(refusal().empty());
  body.held = {{"z0", {false, false, true}}, {"x0", {false, true, false}}, {"y0", {true, false, false}}};
  CHECK_THAT(refusal(), contains("held z0, x0, y0: leaves the body free to turn about an axis along (0, 0, 1)"));
  body.held = {{"z0", {false, false, true}}, {"x0", {true, false, false}}};
  CHECK_THAT(refusal(), contains("free to move along (0, 1, 0)"));
  body.held = {{"z0", {false, false, true}}, {"z1", {false, false, true}}, {"x0", {true, true, false}}};
  CHECK(refusal().empty());

  const mesh::Mesh part = make_block();  // a second part, of which nothing is held
  const auto offset = static_cast<Index>(mesh.vertices.size());
  for (mesh::Point x : part.vertices) mesh.vertices.push_back({x[0] + 10, x[1], x[2]});
  Map both(2 * part.num_elements(), 6);
  both.entries = mesh.element_to_vertex.entries;
  for (const Index v : part.element_to_vertex.entries) both.entries.push_back(v + offset);
  mesh.element_to_vertex = both;
  body.held = {{"x0"}};
  CHECK_THAT(refusal(), contains("leaves one of 2 parts of the mesh, that with (10, "));
}

TEST_CASE("What a mesh has not, and numbers that are none, are refused by the argument at fault",
          "[elasticity][body]") {
  const mesh::Mesh mesh = make_block();
  Body body;
  body.held = {{"x0"}};
  const auto refusal = [&](const Body& wrong) {
    try {
      prepare(wrong, mesh, 1);
    } catch (const InputError& error) {
      return error.argument + ": " + error.what();
    }
    return std::string();
  };
  CHECK(refusal(body).empty());
  Body wrong = body;
  wrong.held = {{"x2"}};
  CHECK_THAT(refusal(wrong), contains("held: held x2: no group of sides; accepted are x0, x1, y0, y1, z0, z1"));
  wrong.held = {{"left"}};
  CHECK_THAT(refusal(wrong), contains("held left: no group of sides"));
  wrong = body;
  wrong.of_groups = {{"x0"}};
  CHECK_THAT(refusal(wrong), contains("material x0: no group of elements; accepted are left"));
  wrong.of_groups = {{"left", 1, 0.5}};
  CHECK_THAT(refusal(wrong), contains("material: material left"));
  wrong = body;
  wrong.material.density = -1;
  CHECK_THAT(refusal(wrong), contains("density -1: accepted are numbers from 0 on"));
  wrong = body;
  wrong.gravity = {0, 0, -9.81};
  CHECK_THAT(refusal(wrong), contains("gravity 0,0,-9.81: without a density"));
  wrong = body;
  wrong.tractions = {{"x1", constant(0, NAN, 0)}};
  CHECK_THAT(refusal(wrong), contains("traction x1: (0, nan, 0) at (3, "));

  mesh::Mesh cube = mesh::make_prism_box(1, 1, 1);
  cube.groups = {{"skin", 2, {}, space::surface_sides(cube)}};
  wrong = Body();
  wrong.held = {{"skin"}};
  CHECK_THROWS_WITH(prepare(wrong, cube, 1), contains("every node is held"));
  CHECK(prepare(wrong, cube, 2).dofs == 3);

  mesh::Mesh inner = mesh;  // a side between two elements
  const std::vector<mesh::CellSide> surface = space::surface_sides(mesh);
  for (int side = 4; side >= 0; --side)
    if (!std::binary_search(surface.begin(), surface.end(), mesh::CellSide{7, side}))
      inner.groups[1].sides = {{7, side}};
  wrong = body;
  wrong.tractions = {{"x1", constant(1, 0, 0)}};
  CHECK_THROWS_WITH(prepare(wrong, inner, 1), contains("of element 8 lies between elements"));
  CHECK_THROWS_WITH(prepare(body, mesh::make_box(1, 1, 1), 1), contains("hexahedra; accepted are prisms"));
}
