// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/linalg/csr_matrix.hpp"

namespace miniapp::linalg {

/// Errors: InputError naming `what` where a matrix would have more entries than indices can count.
inline void require_countable(std::int64_t entries, const std::string& what = "matrix") {
  require(entries <= std::numeric_limits<Index>::max(), what, "",
          std::to_string(entries) + " entries; accepted are up to 2^31 - 1");
}

/// A functor, since the function below is in several translation units: for a lambda in it nvcc emits pointers in
/// each of them, and the linker mixes them up.
struct SumEntries {
  const Index* counts;
  KOKKOS_FUNCTION void operator()(const Index row, std::int64_t& sum) const { sum += counts[row]; }
};

/// Counts the entries of rows by rows.visit(row, to), which calls to(column, value) for each entry, columns ascending.
template <class Rows, class Real>
struct CountRows {
  Rows rows;
  Index* counts;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    Index count = 0;
    rows.visit(row, [&](Index, Real) { ++count; });
    counts[row] = count;
  }
};

/// Fills the rows that CountRows has counted.
template <class Rows, class Real>
struct FillRows {
  Rows rows;
  const Index* offsets;
  Index* columns;
  Real* values;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    Index e = offsets[row];
    rows.visit(row, [&](Index column, Real value) {
      columns[e] = column;
      values[e++] = value;
    });
  }
};

/// The sum of counts(row), for which it waits. Errors: InputError naming `what` where a matrix cannot have so many
/// entries.
inline std::int64_t sum_entries(const Vector<Index>& counts, const std::string& what = "matrix") {
  std::int64_t entries = 0;
  Kokkos::parallel_reduce(
      "linalg/sum entries",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(0, static_cast<Index>(counts.extent(0))),
      SumEntries{counts.data()}, entries);
  require_countable(entries, what);
  return entries;
}

/// A matrix with counts(row) entries in each row, to be filled. Waits for `counts`. Errors: as sum_entries().
template <class Real>
CsrMatrix<Real> make_counted_rows(const Vector<Index>& counts, Index num_columns, const std::string& what = "matrix") {
  const std::int64_t entries = sum_entries(counts, what);
  return {static_cast<Index>(counts.extent(0)), num_columns, offsets_of(counts),
          make_vector<Index>("linalg/columns", static_cast<std::size_t>(entries)),
          make_vector<Real>("linalg/values", static_cast<std::size_t>(entries))};
}

/// The matrix whose rows rows.visit() lists (CountRows). Waits until it is filled. Errors: as sum_entries().
template <class Real, class Rows>
CsrMatrix<Real> make_visited_rows(const Rows& rows, Index num_rows, Index num_columns) {
  const Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>> range(0, num_rows);
  const Vector<Index> counts = make_vector<Index>("linalg/counts", static_cast<std::size_t>(num_rows));
  Kokkos::parallel_for("linalg/count rows", range, CountRows<Rows, Real>{rows, counts.data()});
  const CsrMatrix<Real> matrix = make_counted_rows<Real>(counts, num_columns);
  Kokkos::parallel_for("linalg/fill rows", range,
                       FillRows<Rows, Real>{rows, matrix.offsets.data(), matrix.columns.data(), matrix.values.data()});
  ExecutionSpace().fence();  // `counts` is freed
  return matrix;
}

}  // namespace miniapp::linalg
