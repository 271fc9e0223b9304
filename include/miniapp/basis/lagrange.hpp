// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace miniapp::basis {

/// A small dense matrix on the host, (row, column), row-major.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<double> entries;
  Matrix(int rows_, int columns_) : rows(rows_), columns(columns_), entries(std::size_t(rows_) * columns_) {}
  double& operator()(int row, int column) { return entries[std::size_t(row) * columns + column]; }
  double operator()(int row, int column) const { return entries[std::size_t(row) * columns + column]; }
};

/// values(a, i) = l_i(points[a]), the Lagrange polynomials of `nodes` at `points`; each row sums to 1.
Matrix lagrange_values(const std::vector<double>& nodes, const std::vector<double>& points);

/// derivatives(a, i) = l_i'(points[a]); each row sums to 0.
Matrix lagrange_derivatives(const std::vector<double>& nodes, const std::vector<double>& points);

}  // namespace miniapp::basis
