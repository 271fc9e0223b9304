// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/generate.hpp"
#include "support/solve.hpp"

namespace {

/// The relative L2 error of the manufactured problem on n^3 elements of the deformed unit cube, turned at random.
double error(Problem problem, int order, int n, double deformation) {
  mesh::Mesh mesh = mesh::make_box(n, n, n);
  mesh::deform(mesh, deformation);
  mesh::rotate_elements(mesh, 1);
  const Boundary boundary = has_stiffness(problem) ? Boundary::dirichlet : Boundary::neumann;
  const Solution solution = solve(Discretisation(mesh, problem, order, boundary, 1), boundary);
  CHECK(solution.cg.converged());
  return solution.l2_error;
}

}  // namespace

TEST_CASE("Errors fall with order p + 1 in the mesh size", "[solver][convergence]") {
  constexpr double deformation = 0.05, before_the_limit = 0.3;  // rates of coarse meshes are a little off
  const Problem problem = any_problem();
  const auto [order, n] = GENERATE(table<int, int>({{1, 8}, {2, 8}, {3, 4}, {4, 3}, {5, 3}}));

  const double coarse = error(problem, order, n, deformation), fine = error(problem, order, 2 * n, deformation);

  const double rate = std::log2(coarse / fine);
  CAPTURE(tensor::name(problem), order, coarse, fine);
  CHECK(rate > order + 1 - before_the_limit);
  CHECK(rate < order + 1 + before_the_limit);
}

TEST_CASE("Order 7 is accurate on 64 elements", "[solver][convergence]") {
  // what the discretisation achieves (1.8e-10 and 5.4e-10 for BP3.5), rounded up
  constexpr double plain_error = 2e-10, deformed_error = 6e-10, deformation = 0.08;
  const Problem problem = any_problem();

  CAPTURE(tensor::name(problem));
  CHECK(error(problem, 7, 4, 0) < plain_error);
  CHECK(error(problem, 7, 4, deformation) < deformed_error);
}

TEST_CASE("Errors of high orders end at rounding", "[solver][convergence]") {
  const int order = tensor::built_orders().back(), n = 4;
  if (order < 10) {
    WARN("skipped: this build holds no order of 10 or more");
    return;
  }
  const Problem problem = any_problem();

  CAPTURE(tensor::name(problem), order);
  CHECK(error(problem, order, n, 0.05) <= tolerance<double>(std::pow(order * n + 1, 3), 1));
}
