// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/automatic.hpp"

#include "miniapp/mesh/generate.hpp"
#include "support/functions.hpp"
#include "support/problems.hpp"

using tensor::Attempt, tensor::CaseSettings, tensor::ElementShapes, tensor::Preconditioner;

namespace {

tensor::Discretisation discretise(mesh::Mesh mesh) {
  return {std::move(mesh), Problem::bp3_0, 1, space::Boundary::neumann, 1};
}

CaseSettings settings_of(int nx, int ny, int nz, int order) {
  CaseSettings settings;
  settings.nx = nx;
  settings.ny = ny;
  settings.nz = nz;
  settings.order = order;
  settings.tolerance = 1e-8;
  return settings;
}

/// What is tried, the first first.
std::vector<Attempt> attempts(const CaseSettings& o) {
  const ElementShapes shapes = measure_shapes(discretise(mesh::make_box(o.nx, o.ny, o.nz)));
  return order_attempts(predict_costs(o, basis::TensorBasis(o.order), shapes), shapes, o.rhs != tensor::Rhs::random);
}

double cost_of(const std::vector<Attempt>& attempts, Preconditioner preconditioner) {
  for (const Attempt& attempt : attempts)
    if (attempt.preconditioner == preconditioner) return attempt.total();
  FAIL("not there");
  return 0;
}

}  // namespace

TEST_CASE("Shapes of boxes are those of their sides", "[tensor][automatic]") {
  const ElementShapes shapes = measure_shapes(discretise(mesh::make_box(4, 2, 1)));  // sides 1/4, 1/2, 1
  CHECK_THAT(shapes.condition,
             Catch::Matchers::WithinRel(std::sqrt(1. / 16 + 1. / 4 + 1) * std::sqrt(16. + 4 + 1) / 3, 1e-12));
  CHECK_THAT(shapes.skew, Catch::Matchers::WithinRel(1., 1e-12));
  CHECK_THAT(shapes.gradients, Catch::Matchers::WithinRel(16. + 4 + 1, 1e-12));
  for (const double side : shapes.sides) CHECK_THAT(side, Catch::Matchers::WithinRel(1., 1e-12));

  mesh::Mesh mesh = mesh::make_box(6, 4, 4);
  mesh::map_kershaw(mesh, 0.3);
  CHECK(measure_shapes(discretise(std::move(mesh))).skew > 1.25);
}

TEST_CASE("A coefficient counts against lambda", "[tensor][automatic]") {
  Discretisation d = discretise(mesh::make_box(4, 4, 4)), scaled = discretise(mesh::make_box(4, 4, 4));
  scaled.set_coefficient(
      function([](std::int64_t element, double, double, double) { return element % 2 ? 1e6 : 3e6; }));
  CaseSettings weak = settings_of(4, 4, 4, d.order), strong = weak;
  weak.lambda = 50;
  strong.lambda = 50 * 2e6;
  const auto costs = [](const CaseSettings& o, const Discretisation& of) {
    return cost_of(tensor::predict_costs(o, of.basis, measure_shapes(of)), Preconditioner::jacobi);
  };

  CHECK_THAT(measure_shapes(scaled).coefficient, Catch::Matchers::WithinRel(2e6, 1e-12));
  CHECK_THAT(costs(strong, scaled), Catch::Matchers::WithinRel(costs(weak, d), 1e-12));
  CHECK(costs(strong, scaled) > 1.2 * costs(strong, d));
}

TEST_CASE("A mass is left to Jacobi", "[tensor][automatic]") {
  CaseSettings mass = settings_of(8, 8, 8, 3);
  mass.problem = Problem::bp1_0;
  const std::vector<Attempt> all = attempts(mass);
  REQUIRE(all.size() == 1);
  CHECK(all[0].preconditioner == Preconditioner::jacobi);
}

TEST_CASE("Multigrid pays where the condition is large", "[tensor][automatic]") {
  const std::vector<int> built = tensor::built_orders();
  const int order = built.size() > 1 ? built[1] : built[0], side = 128 / (order + 1);  // it must fit into memory
  CaseSettings large = settings_of(side, side, side, order), screened = large, loose = large,
               small = settings_of(side / 2, side / 2, side / 2, order);
  screened.lambda = 1e8;
  loose.tolerance = 1e-2;
  CHECK(attempts(large)[0].preconditioner == (order > 1 ? Preconditioner::p_multigrid : Preconditioner::lor_amg));
  CHECK(attempts(screened)[0].preconditioner == Preconditioner::jacobi);
  CHECK(cost_of(attempts(loose), Preconditioner::jacobi) < 0.4 * cost_of(attempts(large), Preconditioner::jacobi));
  // iterations with Jacobi are as many as elements along a side
  CHECK_THAT((cost_of(attempts(large), Preconditioner::jacobi) - 2) / side,
             Catch::Matchers::WithinRel((cost_of(attempts(small), Preconditioner::jacobi) - 2) / (side / 2), 0.01));
}

TEST_CASE("On slender boxes Jacobi is tried first where the right-hand side is smooth", "[tensor][automatic]") {
  CaseSettings needle = settings_of(300, 2, 2, tensor::built_orders().front());
  const std::vector<Attempt> smooth = attempts(needle);
  CHECK(smooth[0].preconditioner == Preconditioner::jacobi);
  CHECK(smooth[0].total() > smooth[1].total());
  needle.rhs = tensor::Rhs::random;
  const std::vector<Attempt> rough = attempts(needle);
  CHECK(rough[0].preconditioner != Preconditioner::jacobi);
  CHECK(std::is_sorted(rough.begin(), rough.end(),
                       [](const Attempt& a, const Attempt& b) { return a.total() < b.total(); }));
}

TEST_CASE("A solve is given up where the rest will take longer than something else", "[tensor][automatic]") {
  const Attempt attempt{Preconditioner::jacobi, 0, 2, 0};  // an iteration costs 2
  const auto falling_by = [](double factor, int iterations) {
    std::vector<double> residuals{1};
    for (int i = 0; i < iterations; ++i) residuals.push_back(residuals.back() * factor);
    return residuals;
  };
  // 1e-8 takes 80 iterations at 10^-0.1 each: 60 remain after 20, which cost 120
  const std::vector<double> residuals = falling_by(std::pow(10, -0.1), 20);
  CHECK(is_hopeless(attempt, residuals, 1e-8, 79));
  CHECK_FALSE(is_hopeless(attempt, residuals, 1e-8, 81));
  CHECK_FALSE(is_hopeless(attempt, falling_by(std::pow(10, -0.1), 9), 1e-8, 79));  // too early to tell
  CHECK(is_hopeless(attempt, falling_by(1.1, 20), 1e-8, 79));
  // what stood still for long and falls quickly now is not given up
  std::vector<double> late(21, 1);
  for (int i = 0; i < 20; ++i) late.push_back(late.back() / 2);
  CHECK_FALSE(is_hopeless(attempt, late, 1e-8, 30));
}
