// SPDX-License-Identifier: BSD-3-Clause
#include "core/offsets.hpp"
#include "linalg/block_products.hpp"
#include "linalg/sort_rows.hpp"
#include "miniapp/linalg/sparse_products.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

template <class Real>
CsrMatrix<Real> transpose_entries(const CsrMatrix<Real>& matrix) {
  const auto entries = static_cast<Index>(matrix.num_entries());
  const Vector<Index> counts = make_zeros<Index>("linalg/counts", static_cast<std::size_t>(matrix.num_columns));
  Kokkos::parallel_for(
      "linalg/count columns", Range(0, entries),
      KOKKOS_LAMBDA(const Index entry) { count_one(&counts(matrix.columns(entry))); });
  const CsrMatrix<Real> result{matrix.num_columns, matrix.num_rows, offsets_of(counts),
                               make_vector<Index>("linalg/columns", matrix.columns.extent(0)),
                               make_vector<Real>("linalg/values", matrix.values.extent(0))};
  const auto& next = counts;  // from here on the next free place of each column
  copy_entries(next, slice(result.offsets, 0, next.extent(0)));
  Kokkos::parallel_for(
      "linalg/transpose", Range(0, matrix.num_rows), KOKKOS_LAMBDA(const Index row) {
        for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1); ++e) {
          const Index place = count_one(&next(matrix.columns(e)));
          result.columns(place) = row;
          result.values(place) = matrix.values(e);
        }
      });
  if (!has_one_thread) {  // several threads take places in any order
    const Instance instance;
    sort_rows(instance, result);
    instance.fence();
  }
  return result;
}

}  // namespace

template <class Real>
CsrMatrix<Real> transpose(const CsrMatrix<Real>& matrix, int block_rows, int block_columns) {
  if (block_rows * block_columns > 1 && has_whole_blocks(matrix, block_rows, block_columns))
    return transpose_blocks(matrix, block_rows, block_columns,
                            [](const CsrMatrix<double>& pattern) { return transpose_entries(pattern); });
  return transpose_entries(matrix);
}

template CsrMatrix<double> transpose(const CsrMatrix<double>&, int, int);
template CsrMatrix<float> transpose(const CsrMatrix<float>&, int, int);

}  // namespace miniapp::linalg
