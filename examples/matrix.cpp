// SPDX-License-Identifier: BSD-3-Clause
/// A x = b with a sparse matrix of one's own: CG with algebraic multigrid.
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/linalg/matrix_operator.hpp>
#include <miniapp/solver/amg.hpp>
#include <miniapp/solver/cg.hpp>

using namespace miniapp;

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const Index n = 300;  // -lap u = 1 on a square of n x n points, u = 0 around it
  Csr<> rows;           // (row): its columns, ascending
  std::vector<double> entries;
  for (Index row = 0; row < n * n; ++row) {
    for (const Index column : {row - n, row - 1, row, row + 1, row + n}) {
      const bool is_inside =
          column >= 0 && column < n * n && (column == row + n || column == row - n || column / n == row / n);
      if (!is_inside) continue;
      rows.entries.push_back(column);
      entries.push_back(column == row ? 4 : -1);
    }
    rows.end_row();
  }
  const linalg::CsrMatrix<double> matrix = linalg::make_csr_matrix(rows, n * n, entries);
  const linalg::MatrixOperator<double> A(matrix);
  const solver::Amg<double> M(matrix);
  const Vector<double> b = make_vector<double>("b", std::size_t(n * n)), x = make_vector<double>("x", b.extent(0));
  Kokkos::deep_copy(b, 1 / double((n + 1) * (n + 1)));
  const solver::CgResult cg = solver::cg<double>(Instance(), A, M, b, x, {1e-10});
  const double middle = to_vector(x)[std::size_t(n / 2 * n + n / 2)];
  std::cout << cg.iterations << " iterations, " << middle << " in the middle\n";
  return cg.converged() && std::abs(middle - 0.0737) < 1e-3 ? 0 : 1;
} catch (const Error& error) {  // names the argument, its value and what is accepted
  std::cerr << error.what() << '\n';
  return 2;
}
