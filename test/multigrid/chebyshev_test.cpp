// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/chebyshev.hpp"

#include "miniapp/tensor/diagonal.hpp"
#include "support/preconditioned.hpp"
#include "tensor/level_operator.hpp"

using multigrid::ChebyshevPreconditioner;

namespace {

/// 1 - x p(x) at an eigenvalue x.
double residual_at(const std::vector<double>& lengths, double x) {
  double r = 1;
  for (const double length : lengths) r *= 1 - length * x;
  return r;
}

/// 1 - x p(x) at an eigenvalue x by the recurrence of the fourth kind.
double residual_by_recurrence(const std::vector<double>& weights, double x) {
  double r = 1, d = 0, solution = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double i = double(k) + 1;
    d = (2 * i - 3) / (2 * i + 1) * d + (8 * i - 4) / (2 * i + 1) * r;
    solution += weights[k] * d;
    r -= x * d;
  }
  return 1 - x * solution;
}

/// Chebyshev's polynomial.
double chebyshev(int degree, double x) {
  return std::fabs(x) <= 1 ? std::cos(degree * std::acos(x)) : std::cosh(degree * std::acosh(std::fabs(x)));
}

ChebyshevPreconditioner make(const Discretisation& d, int degree) {
  measure::Phases phases;
  return {d, degree, phases};
}

}  // namespace

TEST_CASE("Steps of the first kind leave Chebyshev's polynomial of the interval", "[multigrid][chebyshev]") {
  const int degree = GENERATE(1, 2, 3, 7, 20);
  const double least = GENERATE(0.01, 0.3);
  const std::vector<double> steps = multigrid::chebyshev_solver(degree, least);
  REQUIRE(steps.size() == std::size_t(degree));
  const auto to_unit = [&](double x) { return (1 + least - 2 * x) / (1 - least); };
  for (const double x : {0., 0.001, least, 0.4, 0.77, 1.}) {
    const double expected = chebyshev(degree, to_unit(x)) / chebyshev(degree, to_unit(0));
    CHECK(std::fabs(residual_at(steps, x) - expected) <= 1e-12);
  }
}

TEST_CASE("Steps of the fourth kind damp the upper part of the spectrum by their weights", "[multigrid][chebyshev]") {
  const int degree = GENERATE(1, 2, 3, 4, 5, 6);
  const std::vector<double> steps = multigrid::chebyshev_smoother(degree);
  REQUIRE(steps.size() == std::size_t(degree));
  double most = 0;  // of x r(x)^2 / (1 - r(x)^2), which bounds the cycle by the smoother
  for (int i = 1; i <= 1000; ++i) {
    const double x = i / 1000., r = residual_at(steps, x);
    CHECK(std::fabs(r) < 1);
    most = std::max(most, x * r * r / (1 - r * r));
  }
  const std::vector<double> ones(std::size_t(degree), 1.);
  double without = 0;
  for (int i = 1; i <= 1000; ++i) {
    const double x = i / 1000., r = residual_by_recurrence(ones, x);
    without = std::max(without, x * r * r / (1 - r * r));
  }
  CHECK(most < without);
}

TEST_CASE("Steps of the fourth kind leave what the recurrence leaves", "[multigrid][chebyshev]") {
  const auto weights = GENERATE(std::vector<double>{1.125}, std::vector<double>{1.02387287570313, 1.26408905371085},
                                std::vector<double>{1.00842544782028, 1.08867839208730, 1.33753125909618},
                                std::vector<double>(7, 1.), std::vector<double>(20, 1.));
  const std::vector<double> steps = multigrid::chebyshev_smoother(static_cast<int>(weights.size()));
  for (const double x : {0., 0.01, 0.3, 0.65, 0.99, 1.})
    CHECK(std::fabs(residual_at(steps, x) - residual_by_recurrence(weights, x)) <= 1e-11);
}

TEST_CASE("Steps do not grow what rounding adds", "[multigrid][chebyshev]") {
  const std::vector<double> steps = GENERATE(multigrid::chebyshev_smoother(20), multigrid::chebyshev_solver(20, 0.01));
  for (int i = 0; i <= 1000; ++i) {
    double growth = 1;  // of what is there before the last steps
    for (std::size_t k = steps.size(); k-- > 0;) {
      growth *= 1 - steps[k] * i / 1000;
      CHECK(std::fabs(growth) < 30);
    }
  }
}

TEST_CASE("Chebyshev's polynomial is symmetric and positive definite", "[multigrid][chebyshev]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  if (order > 7) return;
  const Problem problem = any_problem();
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const int components = GENERATE(1, 2), degree = GENERATE(1, 4);
  CAPTURE(order, problem, boundary, components, degree);
  const Discretisation d(make_turned_box(3, 2, 3), problem, order, boundary, 1, components);
  const ChebyshevPreconditioner m = make(d, degree);
  CHECK(solver::is_symmetric(m));
  check_symmetric_positive(m, d);
}

TEST_CASE("Chebyshev's polynomial of one step is Jacobi's but for a factor", "[multigrid][chebyshev]") {
  const int order = tensor::built_orders().back();
  const Discretisation d(make_turned_box(2, 2, 3), Problem::bp3_0, order, Boundary::dirichlet, 1);
  const std::vector<double> r = make_residual(d, 3), diagonal = to_std(tensor::make_diagonal(d));
  std::vector<double> z = apply(make(d, 1), d, r), jacobi = r;
  for (std::size_t i = 0; i < r.size(); ++i) jacobi[i] /= diagonal[i];
  const double factor = exact_dot(values(z), values(jacobi)) / exact_dot(values(jacobi), values(jacobi));
  CHECK(factor > 0);
  for (double& entry : jacobi) entry *= factor;
  CHECK_THAT(values(z), AllClose(values(jacobi), 1e-5 * largest(values(jacobi))));
  CHECK(make(d, 1).bytes() >= 16. * double(d.space.num_entries()));
}

TEST_CASE("A polynomial of an operator that is not positive definite is refused", "[multigrid][chebyshev]") {
  const double lambda = GENERATE(std::nan(""), 1e300, -1e6);
  const int order = tensor::built_orders().back();
  const Discretisation d(make_turned_box(2, 2, 3), Problem::bp3_0, order, Boundary::dirichlet, lambda);

  CHECK_THROWS_AS(make(d, 3), ResultError);
}

TEST_CASE("The operator of a level is the problem's, to the quadrature", "[multigrid][chebyshev]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  if (order > 7) return;
  const Problem problem = any_problem();
  const bool boxes = GENERATE(true, false);
  CAPTURE(order, problem, boxes);
  const Discretisation d(boxes ? mesh::make_box(3, 2, 4) : make_turned_box(3, 2, 4), problem, order,
                         Boundary::dirichlet, 1);
  const auto exact = tensor::make_operator<float>(tensor::fastest(problem, order, sizeof(float)), d),
             level = tensor::make_level_operator(d);
  const Vector<float> x = convert<float>(to_device<double>(make_residual(d, 1))),
                      expected = make_vector<float>("expected", x.extent(0)),
                      actual = make_vector<float>("actual", x.extent(0));

  exact->apply(Instance(), x, expected);
  level->apply(Instance(), x, actual);

  const double same = boxes || problem != Problem::bp3_0 ? 1e-5 : 0.05;
  CHECK_THAT(values(actual), AllClose(values(expected), same * largest(values(expected))));
}
