// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/user_problem.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/weakform/case.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

const std::vector<std::string> side_names{"x0", "x1", "y0", "y1", "z0", "z1"};

/// Simplices of the unit square or cube with a group of each side of it, and one of the cells whose centroid has
/// x < 1/2.
mesh::Mesh make_grouped(int dim) {
  mesh::Mesh mesh = make_simplices(dim, dim == 2 ? 6 : 4);
  for (int side = 0; side < 2 * dim; ++side) {
    mesh::Group group{side_names[side], dim - 1, {}, {}};
    for (const mesh::CellSide& s : space::surface_sides(mesh)) {
      const mesh::SideVertices vertices = mesh::side_vertices(mesh, s);
      if (std::all_of(vertices.begin(), vertices.end(),
                      [&](Index v) { return v < 0 || std::fabs(mesh.vertices[v][side / 2] - side % 2) < 1e-12; }))
        group.sides.push_back(s);
    }
    mesh.groups.push_back(group);
  }
  mesh::Group half{"half", dim, {}, {}};
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    double x = 0;
    for (int v = 0; v <= dim; ++v) x += mesh.vertices[mesh.element_to_vertex[e][v]][0] / (dim + 1);
    if (x < 0.5) half.cells.push_back(static_cast<Index>(e));
  }
  mesh.groups.push_back(half);
  return mesh;
}

Function constant(double value) {
  return [=](std::int64_t, const mesh::Point&) { return value; };
}
const Function linear = [](std::int64_t, const mesh::Point& x) { return 1 + 2 * x[0] - x[1] + 3 * x[2]; };

/// f1 . n of `linear` with kappa = 4 out of each side of the square or cube.
const double flux[] = {-8, 8, 4, -4, -12, 12};

struct Solution {
  NewtonResult newton;
  SolutionErrors errors;
  std::vector<double> u;
  std::string natural;
};
Solution solve(FormKind kind, const mesh::Mesh& mesh, const UserProblem& problem, Strategy strategy = Strategy::tiles) {
  const PreparedForm prepared = prepare(problem, mesh, facts(kind, mesh::dimension(mesh.kind)).components);
  const auto form = bind(kind, mesh, prepared, {.strategy = strategy});
  Solution result;
  result.newton = form->solve(Instance(), {.tolerance = 1e-12});
  if (!problem.exact.empty()) result.errors = form->errors();
  result.u = form->state();
  result.natural = prepared.natural;
  return result;
}

/// A problem that `linear` solves, by a Dirichlet, a Robin and Neumann conditions.
UserProblem linear_problem(int dim) {
  UserProblem problem;
  problem.coefficient = {{"", {constant(4)}}};
  problem.exact = {linear};
  problem.dirichlet = {{"x0", {linear}}};
  problem.robin = {
      {"x1", {[](std::int64_t cell, const mesh::Point& x) { return flux[1] + 0.7 * linear(cell, x); }}, constant(0.7)}};
  for (int side = 2; side < 2 * dim; ++side) problem.neumann.push_back({side_names[side], {constant(flux[side])}});
  return problem;
}

}  // namespace

TEST_CASE("A linear solution is found exactly, by all kinds of conditions and strategies", "[weakform][user problem]") {
  for (const int dim : {2, 3}) {
    const mesh::Mesh mesh = make_grouped(dim);
    for (const Strategy strategy : {Strategy::reference, Strategy::cells, Strategy::tiles, Strategy::owner}) {
      CAPTURE(dim, name(strategy));
      const Solution found = solve(FormKind::variable_poisson, mesh, linear_problem(dim), strategy);
      CHECK(found.newton.converged());
      CHECK(found.errors.l2 < 1e-10);
      CHECK(found.errors.h1 < 1e-8);
      CHECK(found.natural.empty());
    }
  }
}

TEST_CASE("Robin conditions alone hold a solution", "[weakform][user problem]") {
  UserProblem problem = linear_problem(2);
  problem.dirichlet.clear();
  problem.robin.push_back(
      {"x0", {[](std::int64_t cell, const mesh::Point& x) { return flux[0] + 2 * linear(cell, x); }}, constant(2)});
  CHECK(solve(FormKind::variable_poisson, make_grouped(2), problem).errors.l2 < 1e-10);
}

TEST_CASE("A factor of kappa in a group of cells bends the solution at its border", "[weakform][user problem]") {
  // sides of cells lie on x = 1/2 only where the mesh is not distorted
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::triangle, 4, 3);
  mesh.groups = {{"x0", 1, {}, {}}, {"x1", 1, {}, {}}, {"half", 2, {}, {}}};
  for (const mesh::CellSide& s : space::surface_sides(mesh)) {
    const mesh::SideVertices v = mesh::side_vertices(mesh, s);
    for (int side = 0; side < 2; ++side)
      if (mesh.vertices[v[0]][0] == side && mesh.vertices[v[1]][0] == side) mesh.groups[side].sides.push_back(s);
  }
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    double x = 0;
    for (int v = 0; v < 3; ++v) x += mesh.vertices[mesh.element_to_vertex[e][v]][0] / 3;
    if (x < 0.5) mesh.groups[2].cells.push_back(static_cast<Index>(e));
  }
  UserProblem problem;
  problem.coefficient = {{"", {constant(2)}}, {"half", {constant(3)}}};
  problem.dirichlet = {{"x0", {constant(0)}}, {"x1", {constant(1)}}};
  const Solution found = solve(FormKind::variable_poisson, mesh, problem);
  CHECK(found.natural == "8 sides without a group");
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::neumann);
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  for (std::size_t i = 0; i < points.size(); ++i) {  // slopes of 1/2 and 3/2
    const double x = points[i][0], expected = x < 0.5 ? x / 2 : 0.25 + 1.5 * (x - 0.5);
    CHECK(std::fabs(found.u[i] - expected) < 1e-10);
  }
}

TEST_CASE("A bar of hyperelastic material under traction stretches as one point does", "[weakform][user problem]") {
  // u = (s - 1) x, and s' across: P = diag(t, 0): the stretches follow from P(F)
  const mesh::Mesh mesh = make_grouped(2);
  UserProblem problem;
  const Function zero = constant(0);
  problem.exact = {[](std::int64_t, const mesh::Point& x) { return 0.1 * x[0]; },
                   [](std::int64_t, const mesh::Point& x) { return -0.05 * x[1]; }};
  const double F0 = 1.1, F1 = 0.95, mu = 1, lambda = 1.5, J = F0 * F1, p = lambda * std::log(J);
  const double P0 = mu * (F0 - 1 / F0) + p / F0, P1 = mu * (F1 - 1 / F1) + p / F1;
  problem.dirichlet = {{"x0", {problem.exact[0], problem.exact[1]}}};
  problem.neumann = {{"x1", {constant(P0), zero}}, {"y0", {zero, constant(-P1)}}, {"y1", {zero, constant(P1)}}};
  const Solution found = solve(FormKind::neo_hookean, mesh, problem);
  CHECK(found.newton.converged());
  CHECK(found.errors.l2 < 1e-10);
}

TEST_CASE("Single components are held, by rollers and by a side that is pulled, and others are free",
          "[weakform][user problem]") {
  const int dim = GENERATE(2, 3);
  const bool is_pulled = GENERATE(false, true);
  CAPTURE(dim, is_pulled);
  const double F[] = {1.1, 0.95, 0.97}, mu = 1, lambda = 1.5;
  const double p = lambda * std::log(F[0] * F[1] * (dim == 3 ? F[2] : 1));
  UserProblem problem;
  for (int c = 0; c < dim; ++c) {
    problem.exact.push_back([=](std::int64_t, const mesh::Point& x) { return (F[c] - 1) * x[c]; });
    std::vector<Function> roller(dim), pulled(dim), traction(dim, constant(0));
    roller[c] = constant(0);
    pulled[c] = problem.exact[c];
    traction[c] = constant(mu * (F[c] - 1 / F[c]) + p / F[c]);
    problem.dirichlet.push_back({side_names[2 * c], roller});
    if (c == 0 && is_pulled)
      problem.dirichlet.push_back({side_names[1], pulled});
    else
      problem.neumann.push_back({side_names[2 * c + 1], traction});
  }
  const mesh::Mesh mesh = make_grouped(dim);
  const PreparedForm prepared = prepare(problem, mesh, dim);
  CHECK(prepared.space.masked.size() == (is_pulled ? 2u : 1u));  // corners of all rollers
  const Solution found = solve(FormKind::neo_hookean, mesh, problem);
  CHECK(found.newton.converged());
  CHECK(found.errors.l2 < 1e-10);
}

TEST_CASE("A source without a known solution is f: as the equation's own", "[weakform][user problem]") {
  const mesh::Mesh mesh = make_grouped(2);
  const auto form = bind(FormKind::poisson, Precision::fp64, mesh,
                         space::make_space(mesh, 1, 1, space::Boundary::dirichlet, Layout::aos), {});
  form->solve(Instance(), {.tolerance = 1e-12});
  const Function exact = [](std::int64_t, const mesh::Point& x) { return x[0] * x[0] + x[1] * x[1]; };
  UserProblem problem;
  problem.source = {constant(-4)};
  for (int side = 0; side < 4; ++side) problem.dirichlet.push_back({side_names[side], {exact}});
  CHECK_THAT(values(solve(FormKind::poisson, mesh, problem).u), AllClose(values(form->state()), 1e-11));
}

TEST_CASE("Wrong data of a user are refused, with the group and the point", "[weakform][user problem]") {
  const mesh::Mesh mesh = make_grouped(2);
  const auto refusal = [&](auto change) {
    UserProblem problem = linear_problem(2);
    change(problem);
    try {
      prepare(problem, mesh, 1);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refusal([](UserProblem& p) { p.dirichlet[0].group = "tip"; }), contains("tip"));
  CHECK_THAT(refusal([](UserProblem& p) { p.dirichlet[0].group = "half"; }), contains("no group of sides"));
  CHECK_THAT(refusal([](UserProblem& p) { p.neumann[0].group = "x0"; }), contains("has a condition already"));
  CHECK_THAT(refusal([](UserProblem& p) { p.coefficient[0].values = {constant(0)}; }), contains("numbers above 0"));
  CHECK_THAT(refusal([](UserProblem& p) { p.coefficient = {{"half", {constant(-1)}}}; }), contains("numbers above 0"));
  CHECK_THAT(refusal([](UserProblem& p) { p.source = {constant(NAN)}; }), contains("finite numbers"));
  CHECK_THAT(refusal([](UserProblem& p) { p.source = {constant(1), constant(1)}; }), contains("one per component"));
  CHECK_THAT(refusal([](UserProblem& p) { p.robin[0].alpha = constant(INFINITY); }), contains("finite numbers"));
  CHECK_THAT(refusal([](UserProblem& p) { p.robin[0].alpha = constant(-2); }),
             contains("robin x1: alpha -2: at (1, ") && contains("accepted are numbers from 0 on"));
  CHECK(refusal([](UserProblem& p) { p.robin[0].alpha = constant(0); }).empty());
  CHECK_THAT(refusal([](UserProblem& p) {
               p.robin[0].alpha = constant(0);
               p.dirichlet.clear();
             }),
             contains("robin x1: alpha is 0 everywhere"));
  CHECK_THAT(refusal([](UserProblem& p) {
               p.dirichlet.push_back({"y0", {constant(7)}});
               p.neumann.clear();
             }),
             contains("accepted is one value per node"));
  CHECK_THROWS_WITH(bind(FormKind::poisson, mesh, prepare(linear_problem(2), mesh, 1), {.strategy = Strategy::fans}),
                    contains("accepted are reference, cells, tiles, owner"));
  UserProblem unknown = linear_problem(2);
  unknown.exact.clear();
  CHECK_THROWS_AS(bind(FormKind::poisson, mesh, prepare(unknown, mesh, 1), {})->errors(), InputError);
}
