// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/csr_matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "linalg/counted_rows.hpp"
#include "linalg/find_entry.hpp"
#include "linalg/poisson.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

constexpr auto most_entries = static_cast<double>(std::numeric_limits<Index>::max());

/// The place of an entry, or -1.
KOKKOS_FORCEINLINE_FUNCTION Index find(const Index* offsets, const Index* columns, Index row, Index column) {
  const Index place = first_not_below(offsets, columns, row, column);
  return place < offsets[row + 1] && columns[place] == column ? place : -1;
}

/// The lowest row that differs from its column.
struct FindAsymmetry {
  const Index *offsets, *columns;
  const double *values, *diagonal;
  double tolerance;
  KOKKOS_FUNCTION double mirrored(Index row, Index e) const {
    const Index place = find(offsets, columns, columns[e], row);
    return place < 0 ? 0 : values[place];
  }
  /// The place of the row's first entry that differs, or -1.
  KOKKOS_FUNCTION Index first_in(Index row) const {
    for (Index e = offsets[row]; e < offsets[row + 1]; ++e) {
      const double scale = km::sqrt(km::fabs(diagonal[row] * diagonal[columns[e]]));
      if (!(km::fabs(values[e] - mirrored(row, e)) <= tolerance * scale)) return e;
    }
    return -1;
  }
  KOKKOS_FUNCTION void operator()(const Index row, Index& lowest) const {
    if (row < lowest && first_in(row) >= 0) lowest = row;
  }
};

template <class Body>
Index lowest_row(Index num_rows, const Body& body) {
  Index lowest = num_rows;
  Kokkos::parallel_reduce("linalg/lowest row", Range(0, num_rows), body, Kokkos::Min<Index>(lowest));
  return lowest < num_rows ? lowest : -1;
}

/// The stencil at a point of a box: what it has in each direction.
struct PoissonRow {
  int dim;
  Index sides[3];
  /// Visits (column, value) in ascending order of the columns.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Index row, const Visit& to) const {
    const Index stride[3] = {1, sides[0], sides[0] * sides[1]};
    for (int d = dim - 1; d >= 0; --d)
      if (row / stride[d] % sides[d] > 0) to(row - stride[d], -1.);
    to(row, 2. * dim);
    for (int d = 0; d < dim; ++d)
      if (row / stride[d] % sides[d] < sides[d] - 1) to(row + stride[d], -1.);
  }
};

}  // namespace

CsrMatrix<double> make_csr_matrix(const Csr<>& rows, Index num_columns, const std::vector<double>& values) {
  require(double(rows.entries.size()) <= most_entries, "rows", "",
          fmt::format("{} entries; accepted are up to {:.0f}", rows.entries.size(), most_entries));
  require(values.size() == rows.entries.size(), "values", "",
          fmt::format("{} of {} entries", values.size(), rows.entries.size()));
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t e = 0; e < rows[row].size(); ++e) {
      const Index column = rows[row][e];
      if (column < 0 || column >= num_columns || (e > 0 && rows[row][e - 1] >= column))  // require() formats each time
        throw InputError("rows", "",
                         fmt::format("row {} has column {}, out of order or not below {}", row, column, num_columns));
    }
  return {static_cast<Index>(rows.size()), num_columns, to_device<Index>("linalg/offsets", rows.offsets),
          to_device("linalg/columns", rows.entries), to_device("linalg/values", values)};
}

template <class Real>
Vector<double> diagonal(const CsrMatrix<Real>& matrix) {
  const Vector<double> result = make_vector<double>("linalg/diagonal", static_cast<std::size_t>(matrix.num_rows));
  Kokkos::parallel_for(
      "linalg/diagonal", Range(0, matrix.num_rows), KOKKOS_LAMBDA(const Index row) {
        const Index place = find(matrix.offsets.data(), matrix.columns.data(), row, row);
        result(row) = place < 0 ? 0 : double(matrix.values(place));
      });
  return result;
}

template Vector<double> diagonal<double>(const CsrMatrix<double>&);
template Vector<double> diagonal<float>(const CsrMatrix<float>&);

Index find_asymmetry(const CsrMatrix<double>& matrix, double tolerance) {
  const Vector<double> diagonals = diagonal(matrix);
  return lowest_row(matrix.num_rows, FindAsymmetry{matrix.offsets.data(), matrix.columns.data(), matrix.values.data(),
                                                   diagonals.data(), tolerance});
}

namespace {

/// Why a matrix is refused, after it was found that it is: "(2, 1) is 5 and (1, 2) is 4"; `row` is not symmetric.
std::string describe_asymmetry(const CsrMatrix<double>& matrix, const Vector<double>& diagonals, double tolerance,
                               Index row) {
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  const auto values = to_host(matrix.values), diagonal = to_host(diagonals);
  const FindAsymmetry rows{offsets.data(), columns.data(), values.data(), diagonal.data(), tolerance};
  const Index e = rows.first_in(row), column = columns(e);
  return fmt::format("({}, {}) is {} and ({}, {}) is {}", row + 1, column + 1, values(e), column + 1, row + 1,
                     rows.mirrored(row, e));
}

/// What a refusal says where an entry of `row` is not finite: "(2, 1) is nan".
std::string describe_infinity(const CsrMatrix<double>& matrix, Index row) {
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  const auto values = to_host(matrix.values);
  Index e = offsets(row);
  while (std::isfinite(values(e))) ++e;
  return fmt::format("({}, {}) is {}", row + 1, columns(e) + 1, values(e));
}

}  // namespace

void require_spd_candidate(const CsrMatrix<double>& matrix, const std::string& called) {
  require(matrix.num_rows > 0 && matrix.num_rows == matrix.num_columns,
          fmt::format("{}: {} x {}; accepted are square matrices", called, matrix.num_rows, matrix.num_columns));
  const Vector<double> diagonals = diagonal(matrix);
  const Index bad = lowest_row(
      matrix.num_rows, KOKKOS_LAMBDA(const Index row, Index& lowest) {
        bool good = diagonals(row) > 0;
        for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1); ++e)
          good = good && matrix.values(e) - matrix.values(e) == 0;
        if (!good && row < lowest) lowest = row;
      });
  if (bad >= 0) {
    double value = 0;
    Kokkos::deep_copy(value, Kokkos::subview(diagonals, bad));
    throw InputError(value > 0
                         ? fmt::format("{}: {}; accepted are finite numbers", called, describe_infinity(matrix, bad))
                         : fmt::format("{}: row {} has {} on its diagonal; accepted are positive definite matrices, "
                                       "whose diagonals are positive",
                                       called, bad + 1, value));
  }
  constexpr double tolerance = 1e-12;
  const Index row = find_asymmetry(matrix, tolerance);
  if (row >= 0)
    throw InputError(fmt::format("{}: {}; accepted are symmetric matrices", called,
                                 describe_asymmetry(matrix, diagonals, tolerance, row)));
}

void require_poisson(int dim, int n) {
  require(dim == 2 || dim == 3, "dim", dim, "accepted are 2 and 3");
  require(n > 0, "n", n, "accepted are whole numbers > 0");
}

CsrMatrix<double> make_poisson_box(int dim, const std::array<Index, 3>& sides) {
  const double unknowns = double(sides[0]) * sides[1] * sides[2];
  double entries = (2 * dim + 1) * unknowns;
  for (int d = 0; d < dim; ++d) entries -= 2 * unknowns / sides[d];
  require(entries <= most_entries,
          fmt::format("{:.0f} points: {:.0f} entries; accepted are up to {:.0f}", unknowns, entries, most_entries));
  const auto rows = static_cast<Index>(unknowns);
  return make_visited_rows<double>(PoissonRow{dim, {sides[0], sides[1], sides[2]}}, rows, rows);
}

CsrMatrix<double> make_poisson(int dim, int n) {
  require_poisson(dim, n);
  return make_poisson_box(dim, {n, n, dim == 3 ? n : 1});
}

}  // namespace miniapp::linalg
