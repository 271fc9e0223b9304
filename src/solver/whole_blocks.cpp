// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/counted_rows.hpp"
#include "linalg/find_entry.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/solver/aggregation.hpp"

namespace miniapp::solver {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// Rows of a matrix, filled up with zeros to whole blocks.
struct WholeBlocks {
  const Index *offsets, *columns;
  const double* values;
  Index num_columns;
  int block;

  /// Calls to(other) for the nodes that any row of a node has an entry for, ascending.
  template <class Visit>
  KOKKOS_FUNCTION void visit_nodes(Index node, const Visit& to) const {
    const Index none = num_columns / block;
    for (Index other = -1;;) {
      Index next = none;
      for (Index row = node * block; row < (node + 1) * block; ++row) {
        const Index e = linalg::first_not_below(offsets, columns, row, (other + 1) * block);
        if (e < offsets[row + 1] && columns[e] / block < next) next = columns[e] / block;
      }
      if (next == none) return;
      to(other = next);
    }
  }
  /// Visits the entries of a row (FillRows).
  template <class Visit>
  KOKKOS_FUNCTION void visit(Index row, const Visit& to) const {
    Index e = offsets[row];
    visit_nodes(row / block, [&](Index other) {
      for (Index column = other * block; column < (other + 1) * block; ++column) {
        const bool stored = e < offsets[row + 1] && columns[e] == column;
        to(column, stored ? values[e] : 0.);
        e += stored;
      }
    });
  }
};

}  // namespace

linalg::CsrMatrix<double> fill_blocks(const linalg::CsrMatrix<double>& matrix, int block) {
  require(block >= 1 && matrix.num_rows % block == 0 && matrix.num_columns % block == 0, "block", block,
          std::to_string(matrix.num_rows) + " rows are no whole number of nodes");
  const WholeBlocks whole{matrix.offsets.data(), matrix.columns.data(), matrix.values.data(), matrix.num_columns,
                          block};
  const Vector<Index> counts = make_vector<Index>("solver/counts", static_cast<std::size_t>(matrix.num_rows));
  Kokkos::parallel_for(
      "solver/count blocks", Range(0, matrix.num_rows / block), KOKKOS_LAMBDA(const Index node) {
        Index count = 0;
        whole.visit_nodes(node, [&](Index) { count += block; });
        for (int i = 0; i < block; ++i) counts(node * block + i) = count;
      });
  linalg::CsrMatrix<double> filled = linalg::make_counted_rows<double>(counts, matrix.num_columns);
  if (filled.num_entries() == matrix.num_entries()) return matrix;
  Kokkos::parallel_for(
      "solver/fill blocks", Range(0, matrix.num_rows),
      linalg::FillRows<WholeBlocks, double>{whole, filled.offsets.data(), filled.columns.data(), filled.values.data()});
  Kokkos::fence();
  return filled;
}

}  // namespace miniapp::solver
