// SPDX-License-Identifier: BSD-3-Clause
#include "core/offsets.hpp"
#include "linalg/sort_rows.hpp"
#include "miniapp/linalg/sparse_products.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

struct CountColumns {
  const Index* columns;
  Index* counts;
  KOKKOS_FUNCTION void operator()(const Index entry) const { count_one(counts + columns[entry]); }
};

/// Puts each row's entries at the next free places of their columns, `next`.
template <class Real>
struct Scatter {
  const Index *offsets, *columns;
  const Real* values;
  Index *next, *rows_of;
  Real* values_of;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    for (Index e = offsets[row]; e < offsets[row + 1]; ++e) {
      const Index place = count_one(next + columns[e]);
      rows_of[place] = row;
      values_of[place] = values[e];
    }
  }
};

}  // namespace

template <class Real>
CsrMatrix<Real> transpose(const CsrMatrix<Real>& matrix) {
  const auto entries = static_cast<Index>(matrix.num_entries());
  const Vector<Index> counts = make_zeros<Index>("linalg/counts", static_cast<std::size_t>(matrix.num_columns));
  Kokkos::parallel_for("linalg/count columns", Range(0, entries), CountColumns{matrix.columns.data(), counts.data()});
  CsrMatrix<Real> result{matrix.num_columns, matrix.num_rows, offsets_of(counts),
                         make_vector<Index>("linalg/columns", matrix.columns.extent(0)),
                         make_vector<Real>("linalg/values", matrix.values.extent(0))};
  Kokkos::deep_copy(counts, slice(result.offsets, 0, counts.extent(0)));
  Kokkos::parallel_for("linalg/transpose", Range(0, matrix.num_rows),
                       Scatter<Real>{matrix.offsets.data(), matrix.columns.data(), matrix.values.data(), counts.data(),
                                     result.columns.data(), result.values.data()});
  if (!has_one_thread) {  // several threads take places in any order
    const Instance instance;
    sort_rows(instance, result);
    instance.fence();
  }
  return result;
}

template CsrMatrix<double> transpose(const CsrMatrix<double>&);
template CsrMatrix<float> transpose(const CsrMatrix<float>&);

}  // namespace miniapp::linalg
