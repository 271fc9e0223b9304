// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/automatic.hpp"

#include <cmath>
#include <limits>

#include "support/sparse.hpp"

using solver::Attempt, solver::MatrixShape, solver::PreconditionerKind;

namespace {

MatrixShape shape_of(const linalg::CsrMatrix<double>& A) { return solver::measure_shape(linalg::make_undivided(A)); }

/// The preconditioner that will probably cost least, and its iterations.
Attempt best(const MatrixShape& shape, double tolerance = 1e-8, bool multigrid_fits = true) {
  return solver::predict_costs(shape, tolerance, 1e-3, 1, multigrid_fits).front();
}

std::vector<double> falling_by(double factor, int iterations) {
  std::vector<double> residuals{1};
  for (int i = 0; i < iterations; ++i) residuals.push_back(residuals.back() * factor);
  return residuals;
}

}  // namespace

TEST_CASE("The shape of a matrix is that of its graph and its diagonal", "[solver][automatic]") {
  const MatrixShape square = shape_of(linalg::make_poisson(2, 7));
  CHECK(square.entries == Approx((5. * 49 - 4 * 7) / 49));
  CHECK(square.diameter == (runs_on_host ? 12 : 14));  // from corner to corner
  CHECK(square.dominance == 0);
  CHECK(square.same_diagonal);
  if (runs_on_host) CHECK(shape_of(linalg::make_poisson(3, 5)).diameter == 12);
  // 0 - 1 - 2 and 3 - 4 - 5 - 6 have no coupling; the least dominant row is 1: (6 - 2 - 1) / 6
  const MatrixShape pieces = shape_of(to_csr({{{0, 5}, {1, -2}},
                                              {{0, -2}, {1, 6}, {2, 1}},
                                              {{1, 1}, {2, 5}},
                                              {{3, 5}, {4, 1}},
                                              {{3, 1}, {4, 5}, {5, 1}},
                                              {{4, 1}, {5, 5}, {6, 1}},
                                              {{5, 1}, {6, 5}}},
                                             7));
  if (runs_on_host) CHECK(pieces.diameter == 3);
  CHECK(pieces.dominance == Approx(0.5));
  CHECK_FALSE(pieces.same_diagonal);
}

TEST_CASE("Multigrid is expected to pay on large planes, the diagonal on small cubes", "[solver][automatic]") {
  CHECK(best({5, 2 * 999, 0, true}).preconditioner == PreconditionerKind::amg);
  CHECK(best({5, 2 * 999, 0, true}, 1e-8, false).preconditioner == PreconditionerKind::none);
  CHECK(best({7, 3 * 45, 0, true}).preconditioner == PreconditionerKind::none);
  CHECK(best({7, 3 * 45, 0, false}).preconditioner == PreconditionerKind::jacobi);
  CHECK(best({7, 3 * 45, 0, true}).iterations == Approx(0.9 * 135));
  // eigenvalues between 1/2 and 3/2
  const Attempt dominated = best({5, 2 * 999, 0.5, true});
  CHECK(dominated.preconditioner == PreconditionerKind::none);
  CHECK(dominated.iterations == Approx(std::log(2e8) / 2 * std::sqrt(3)));
}

TEST_CASE("A solver is given up where the rest will take longer than another", "[solver][automatic]") {
  const Attempt trial{PreconditionerKind::jacobi, 0, 1, 1000}, trusted{PreconditionerKind::jacobi, 0, 1, 100};
  const double slow = std::pow(10, -0.01), quick = 0.5;  // 800 and 27 iterations to 1e-8
  CHECK_FALSE(is_hopeless(trial, falling_by(slow, 24), 1e-8, 200));
  CHECK(is_hopeless(trial, falling_by(slow, 26), 1e-8, 200));
  CHECK_FALSE(is_hopeless(trial, falling_by(quick, 26), 1e-8, 200));
  CHECK_FALSE(is_hopeless(trusted, falling_by(slow, 59), 1e-8, 200));
  CHECK(is_hopeless(trusted, falling_by(slow, 61), 1e-8, 200));
  CHECK(is_hopeless(trusted, falling_by(1.01, 61), 1e-8, 200));
  CHECK(is_hopeless(trusted, falling_by(slow, 56), 1e-8, 110));  // half of the other's cost is enough
  const Attempt multigrid{PreconditionerKind::amg, 150, 7, 10};
  CHECK_FALSE(is_hopeless(multigrid, falling_by(slow, 29), 1e-8, 400));
  CHECK(is_hopeless(multigrid, falling_by(slow, 31), 1e-8, 400));
  CHECK_FALSE(is_hopeless(multigrid, falling_by(quick, 31), 1e-8, 400));
  CHECK(expected_cost(trusted, falling_by(slow, 61), 1e-8) == Approx(800));
  CHECK(expected_cost(trusted, falling_by(1.01, 61), 1e-8) == std::numeric_limits<double>::infinity());
}
