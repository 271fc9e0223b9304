// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/gmres.hpp"

#include <limits>

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "support/all_close.hpp"

namespace {

/// Convection and diffusion along a line of n points, not symmetric: rows (-1 - c, 2, -1 + c) and a growing diagonal.
linalg::CsrMatrix<double> make_convection(Index n, double c) {
  Csr<> rows;
  std::vector<double> entries;
  for (Index i = 0; i < n; ++i) {
    for (const Index j : {i - 1, i, i + 1}) {
      if (j < 0 || j == n) continue;
      rows.entries.push_back(j);
      entries.push_back(j < i ? -1 - c : j > i ? -1 + c : 2 + 0.1 * i);
    }
    rows.end_row();
  }
  return linalg::make_csr_matrix(rows, n, entries);
}

struct Solved {
  solver::GmresResult result;
  std::vector<double> x, product;  ///< A x
};

template <class M = solver::Identity>
Solved solve(const linalg::CsrMatrix<double>& matrix, const std::vector<double>& b, int restart,
             const solver::GmresOptions& options = {}, const M& preconditioner = {}) {
  const linalg::MatrixOperator<double> A(matrix);
  const Vector<double> x = make_zeros<double>("x", b.size()), y = make_zeros<double>("y", b.size());
  solver::GmresWorkspace<double> work(b.size(), restart);
  const auto result = solver::gmres<double>(Instance(), A, preconditioner, to_device("b", b), x, work, options);
  A.apply(Instance(), x, y);
  const auto host = to_host(x), product = to_host(y);
  return {result, {host.data(), host.data() + b.size()}, {product.data(), product.data() + b.size()}};
}

std::vector<double> make_load(std::size_t n) {
  std::vector<double> b;
  for (std::size_t i = 0; i < n; ++i) b.push_back(1 + 0.3 * double(i % 7));
  return b;
}

}  // namespace

TEST_CASE("GMRES solves systems that are not symmetric, with and without restarts", "[solver][gmres]") {
  const int restart = GENERATE(3, 10, 80);
  const std::vector<double> b = make_load(61);
  const Solved solved = solve(make_convection(61, 0.6), b, restart, {1e-12, 1000});

  CHECK(solved.result.verdict == solver::Verdict::converged);
  CHECK(solved.result.converged());
  CHECK_THAT(values(solved.product), all_close<double>(values(b), 1e4, 100));
  CHECK(solved.result.residuals.size() == std::size_t(solved.result.iterations) + 1);
  for (std::size_t i = 1; i < solved.result.residuals.size(); ++i)
    CHECK(solved.result.residuals[i] <= solved.result.residuals[i - 1] * (1 + 1e-12));
}

TEST_CASE("GMRES takes as many iterations as the matrix has different eigenvalues", "[solver][gmres]") {
  Csr<> rows;
  std::vector<double> entries;
  for (Index i = 0; i < 20; ++i) {
    rows.entries.push_back(i);
    rows.end_row();
    entries.push_back(i % 4 == 0 ? -2 : 1 + i % 4);  // indefinite
  }
  const Solved solved = solve(linalg::make_csr_matrix(rows, 20, entries), make_load(20), 30);

  CHECK(solved.result.iterations == 4);
  CHECK(solved.result.verdict == solver::Verdict::converged);
  CHECK(solved.result.true_relative_residual < 1e-13);
}

TEST_CASE("The diagonal as a preconditioner shortens GMRES", "[solver][gmres]") {
  const linalg::CsrMatrix<double> matrix = make_convection(400, 0.4);
  const std::vector<double> b = make_load(400);
  const Solved plain = solve(matrix, b, 60),
               better = solve(matrix, b, 60, {}, solver::Jacobi<double>(diagonal(matrix)));

  CHECK(plain.result.verdict == solver::Verdict::converged);
  CHECK(better.result.verdict == solver::Verdict::converged);
  CHECK(2 * better.result.iterations < plain.result.iterations);
  CHECK_THAT(values(better.x), all_close<double>(values(plain.x), 1e6, 1e4));
}

TEST_CASE("GMRES ends unconverged at its limit, and at the floor as stagnated", "[solver][gmres]") {
  const linalg::CsrMatrix<double> matrix = make_convection(200, 0.4);
  const std::vector<double> b = make_load(200);
  const Solved limited = solve(matrix, b, 30, {1e-10, 5}), exact = solve(matrix, b, 60, {1e-18, 2000});

  CHECK(limited.result.verdict == solver::Verdict::unconverged);
  CHECK(limited.result.iterations == 5);
  CHECK(exact.result.verdict == solver::Verdict::stagnated);
  CHECK(exact.result.true_relative_residual <= 10 * exact.result.floor);
  CHECK(exact.result.iterations < 2000);
}

TEST_CASE("GMRES of zero is zero, and NaN breaks it down", "[solver][gmres]") {
  const linalg::CsrMatrix<double> matrix = make_convection(9, 0.4);
  const Solved zero = solve(matrix, std::vector<double>(9, 0.0), 30);

  CHECK(zero.result.verdict == solver::Verdict::converged);
  CHECK(zero.result.iterations == 0);
  CHECK(zero.x == std::vector<double>(9, 0.0));
  CHECK_THROWS_WITH(solve(matrix, std::vector<double>(9, std::numeric_limits<double>::quiet_NaN()), 30),
                    contains("GMRES broke down: a residual is not finite"));
  CHECK_THROWS_WITH(solve(matrix, std::vector<double>(9, 1e-200), 30),
                    contains("GMRES broke down in iteration 1: numbers "
                             "of b are too small to square"));
}

TEST_CASE("GMRES goes on where a restart gains little", "[solver][gmres]") {
  const Index n = 60;
  const linalg::CsrMatrix<double> matrix = make_convection(n, 0.9);
  const std::vector<double> b = make_load(n);
  const Solved slow = solve(matrix, b, 2, {1e-10, 100000});

  CAPTURE(slow.result.iterations, slow.result.true_relative_residual);
  CHECK(slow.result.verdict == solver::Verdict::converged);
}
