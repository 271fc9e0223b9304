// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "miniapp/core/csr.hpp"
#include "miniapp/core/execution.hpp"

namespace miniapp::linalg {

/// A sparse matrix by compressed rows, on the device: row r has the entries offsets(r) .. offsets(r + 1) - 1, columns
/// ascending, each at most once. Up to 2^31 - 1 entries. Memory: a number and 4 bytes per entry, 4 bytes per row.
template <class Real>
struct CsrMatrix {
  Index num_rows = 0, num_columns = 0;
  Vector<Index> offsets;  ///< (row + 1)
  Vector<Index> columns;  ///< (entry)
  Vector<Real> values;    ///< (entry)

  std::int64_t num_entries() const { return static_cast<std::int64_t>(columns.extent(0)); }
  double bytes() const {
    return double(num_entries()) * (sizeof(Real) + sizeof(Index)) + double(offsets.extent(0)) * sizeof(Index);
  }
};

/// A matrix on the device from rows of columns, ascending, and their values on the host. Errors: InputError where there
/// are too many entries, or a column is out of range or out of order.
CsrMatrix<double> make_csr_matrix(const Csr<>& rows, Index num_columns, const std::vector<double>& values);

/// A copy whose numbers are rounded to To; it shares the pattern.
template <class To, class From>
CsrMatrix<To> convert(const CsrMatrix<From>& from) {
  return {from.num_rows, from.num_columns, from.offsets, from.columns, miniapp::convert<To>(from.values)};
}

/// A(i, i), 0 where the row has no such entry.
template <class Real>
Vector<double> diagonal(const CsrMatrix<Real>& matrix);

/// The first row where a matrix is not symmetric, |A(i, j) - A(j, i)| > tolerance sqrt(|A(i, i) A(j, j)|), or -1.
Index find_asymmetry(const CsrMatrix<double>& matrix, double tolerance);

/// Checks that a matrix can belong to a symmetric positive definite system: square, symmetric to rounding, finite, with
/// positive diagonal entries. Errors: InputError naming what fails, where and by which values; it begins with what the
/// matrix is `called`.
void require_spd_candidate(const CsrMatrix<double>& matrix, const std::string& called = "matrix");

/// The Poisson problem -lap u = f with u = 0 on the surface of the unit square (dim 2) or cube (dim 3), by central
/// differences on n^dim inner points, times the square of their distance: 2 dim on the diagonal, -1 for each neighbour.
/// Unknown i + n j + n^2 k. Errors: InputError where dim is neither, n is not positive, or there are too many entries.
CsrMatrix<double> make_poisson(int dim, int n);

}  // namespace miniapp::linalg
