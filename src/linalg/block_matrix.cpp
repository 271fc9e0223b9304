// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/block_matrix.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "linalg/counted_rows.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/graph/transpose.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The place of entry (i, k) of block c among the numbers of a row of `size` blocks.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t place(int size, int c, int i, int k) {
  return runs_on_host ? 9 * std::int64_t(c) + 3 * i + k : 3 * (std::int64_t(i) * size + c) + k;
}

/// The pattern of a matrix, for kernels.
struct Blocks {
  const std::int64_t* offsets;
  const Index* columns;
  KOKKOS_FORCEINLINE_FUNCTION int size(Index row) const { return static_cast<int>(offsets[row + 1] - offsets[row]); }
  /// The index of a column among the blocks of a row that contains it. Branch-free, since branches would be
  /// unpredictable.
  KOKKOS_FORCEINLINE_FUNCTION int find(Index row, Index column) const {
    const Index* const begin = columns + offsets[row];
    int low = 0;
    for (int left = size(row); left > 1; left -= left / 2) low += left / 2 * (begin[low + left / 2] <= column);
    return low;
  }
  /// Finds the entry, which is likely to be at `guess`.
  KOKKOS_FORCEINLINE_FUNCTION int find(Index row, Index column, int guess) const {
    return guess < size(row) && columns[offsets[row] + guess] == column ? guess : find(row, column);
  }
};

/// Adds entries (e, r, s) of element matrices: on a GPU one thread per entry, s fastest; on a host one work item per
/// row, in which consecutive entries often have consecutive columns.
template <class Real>
struct AddMatrices {
  Blocks blocks;
  const Index* nodes;    ///< (element, r)
  const Real* matrices;  ///< (element, i, k, r, s)
  Real* values;
  int n;

  KOKKOS_FUNCTION void operator()(const std::int64_t item) const {
    const std::int64_t line = runs_on_host ? item : item / n;  // (element, r)
    const Index row = nodes[line];
    if (row < 0) return;
    const int first = runs_on_host ? 0 : static_cast<int>(item % n), last = runs_on_host ? n : first + 1;
    int c = -1;
    for (int s = first; s < last; ++s) {
      const Index column = nodes[line / n * n + s];
      if (column < 0) continue;
      c = runs_on_host ? blocks.find(row, column, c + 1) : blocks.find(row, column);
      const Real* const from = matrices + (line / n * 9 * n + line % n) * n + s;
      Real* const to = values + 9 * blocks.offsets[row];
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) add(to + place(blocks.size(row), c, i, k), from[std::int64_t(3 * i + k) * n * n]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add(Real* to, Real value) {
    if constexpr (has_one_thread)
      *to += value;
    else
      Kokkos::atomic_add(to, value);
  }
};

/// y = A x on a host: one work item per block row. Numbers are read one after the other: as three rows of numbers side
/// by side they came at a third of the rate, since prefetchers lose the place where one row of numbers ends.
template <class Real>
struct MultiplyRow {
  const std::int64_t* offsets;
  const Index* columns;
  const Real *values, *x;
  Real* y;

  KOKKOS_FUNCTION void operator()(const std::int64_t row) const {
    const Real* value = values + 9 * offsets[row];
    Real sum[9] = {};
    for (std::int64_t c = offsets[row]; c < offsets[row + 1]; ++c, value += 9) {
      const Real* const factor = x + 3 * std::int64_t(columns[c]);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) sum[3 * i + k] += value[3 * i + k] * factor[k];
    }
    for (int i = 0; i < 3; ++i) y[3 * row + i] = sum[3 * i] + sum[3 * i + 1] + sum[3 * i + 2];
  }
};

/// y = A x on a GPU: one team of one warp per block row.
template <class Real>
struct MultiplyRowByTeam {
  static constexpr int threads = 32, teams_at_once = 32;
  static constexpr std::size_t scratch_bytes = 0;
  const std::int64_t* offsets;
  const Index* columns;
  const Real *values, *x;
  Real* y;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t row = team.league_rank(), begin = offsets[row];
    const int size = static_cast<int>(3 * (offsets[row + 1] - begin));
    double sum[3] = {};
    for (int t = team.team_rank(); t < size; t += team.team_size()) {
      const int c = t / 3;
      const Real factor = x[3 * std::int64_t(columns[begin + c]) + t - 3 * c];
      for (int i = 0; i < 3; ++i) sum[i] += values[9 * begin + std::int64_t(i) * size + t] * factor;
    }
    for (int i = 0; i < 3; ++i)
      if (team.sum(sum[i])) y[3 * row + i] = static_cast<Real>(sum[i]);
  }
};

}  // namespace

Csr<> make_block_pattern(const Map& element_to_node, std::size_t num_nodes) {
  const Csr<std::int64_t> elements = graph::transpose(element_to_node, num_nodes);
  Csr<> pattern;
  std::vector<Index> met(num_nodes, -1);  // the last row that contains this column
  for (std::size_t row = 0; row < num_nodes; ++row) {
    const std::size_t begin = pattern.entries.size();
    for (auto u = elements.offsets[row]; u < elements.offsets[row + 1]; ++u) {
      const Index* const nodes = element_to_node[elements.entries[u] / element_to_node.arity];
      for (int s = 0; s < element_to_node.arity; ++s) {
        if (nodes[s] < 0 || met[nodes[s]] == static_cast<Index>(row)) continue;
        met[nodes[s]] = static_cast<Index>(row);
        pattern.entries.push_back(nodes[s]);
      }
    }
    std::sort(pattern.entries.begin() + static_cast<std::ptrdiff_t>(begin), pattern.entries.end());
    pattern.end_row();
  }
  return pattern;
}

template <class Real>
BlockMatrix<Real>::BlockMatrix(miniapp::space::Space space, const Csr<>& pattern)
    : space_(std::move(space)),
      offsets_(to_device("solver/offsets", pattern.offsets)),
      columns_(to_device("solver/columns", pattern.entries)),
      values_(make_zeros<Real>("solver/values", 9 * pattern.entries.size())) {}

template <class Real>
void BlockMatrix<Real>::add(const Instance& instance, const Vector<const Real>& matrices, std::size_t first,
                            std::size_t count) {
  const int functions = space_.element_to_node.arity();
  const std::int64_t rows = static_cast<std::int64_t>(count) * functions;
  const AddMatrices<Real> body{{offsets_.data(), columns_.data()},
                               space_.element_to_node.device().data() + first * functions,
                               matrices.data(),
                               values_.data(),
                               functions};
  Kokkos::parallel_for("solver/add matrices", Range(instance.space(), 0, runs_on_host ? rows : rows * functions), body);
}

template <class Real>
void BlockMatrix<Real>::hold(const Instance& instance, const std::vector<char>& held) {
  require(held.size() == 3 * num_nodes(), "held", std::to_string(held.size()),
          "flags; accepted is one for each of the " + std::to_string(3 * num_nodes()) + " entries");
  const Vector<const char> flags = to_device("solver/held", held);
  const Blocks pattern{offsets_.data(), columns_.data()};
  const auto values = values_;
  const Vector<const unsigned char> owned = space_.exchange.owned();  // (entry); empty where this rank owns all
  Kokkos::parallel_for(
      "solver/hold", Range(instance.space(), 0, static_cast<std::int64_t>(num_nodes())),
      KOKKOS_LAMBDA(const std::int64_t row) {
        const Index node = static_cast<Index>(row);
        const int size = pattern.size(node);
        const bool owns = owned.extent(0) == 0 || owned(3 * row);
        for (int c = 0; c < size; ++c) {
          const Index column = pattern.columns[pattern.offsets[node] + c];
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
              if (flags(3 * row + i) || flags(3 * std::int64_t(column) + k))
                values(9 * pattern.offsets[node] + place(size, c, i, k)) =
                    Real(owns && column == node && i == k ? 1 : 0);
        }
      });
  instance.fence();  // `flags` is freed
}

template <class Real>
void BlockMatrix<Real>::apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
  if constexpr (runs_on_host)
    Kokkos::parallel_for("solver/multiply", Range(instance.space(), 0, static_cast<std::int64_t>(num_nodes())),
                         MultiplyRow<Real>{offsets_.data(), columns_.data(), values_.data(), x.data(), y.data()});
  else
    for_teams(instance, "solver/multiply", static_cast<int>(num_nodes()),
              MultiplyRowByTeam<Real>{offsets_.data(), columns_.data(), values_.data(), x.data(), y.data()});
}

template <class Real>
Vector<double> BlockMatrix<Real>::diagonal_blocks() const {
  const Vector<double> blocks = make_vector<double>("solver/diagonal blocks", 9 * num_nodes());
  const Blocks pattern{offsets_.data(), columns_.data()};
  const auto values = values_;
  const Vector<const unsigned char> owned = space_.exchange.owned();  // (entry); empty where this rank owns all
  Kokkos::parallel_for(
      "solver/diagonal blocks", Range(0, static_cast<std::int64_t>(num_nodes())),
      KOKKOS_LAMBDA(const std::int64_t row) {
        const Index node = static_cast<Index>(row);
        const int size = pattern.size(node), c = size > 0 ? pattern.find(node, node) : 0;
        const bool owns = owned.extent(0) == 0 || owned(3 * row);
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k)
            blocks(9 * row + 3 * i + k) =
                size > 0 ? double(values(9 * pattern.offsets[row] + place(size, c, i, k))) : double(owns && i == k);
      });
  if (space_.exchange.empty()) return blocks;
  const Instance instance;
  const Range entries(instance.space(), 0, static_cast<std::int64_t>(3 * num_nodes()));
  const Vector<double> column = make_vector<double>("solver/column", 3 * num_nodes());
  for (int k = 0; k < 3; ++k) {
    Kokkos::parallel_for(
        "solver/take column", entries,
        KOKKOS_LAMBDA(const std::int64_t entry) { column(entry) = blocks(3 * entry + k); });
    space_.exchange.sum(instance, column);
    Kokkos::parallel_for(
        "solver/put column", entries,
        KOKKOS_LAMBDA(const std::int64_t entry) { blocks(3 * entry + k) = column(entry); });
  }
  instance.fence();  // `column` is freed
  return blocks;
}

template <class Real>
Vector<double> BlockMatrix<Real>::diagonal() const {
  const Vector<double> blocks = diagonal_blocks(), diagonal = make_vector<double>("solver/diagonal", 3 * num_nodes());
  Kokkos::parallel_for(
      "solver/diagonal", Range(0, static_cast<std::int64_t>(3 * num_nodes())),
      KOKKOS_LAMBDA(const std::int64_t i) { diagonal(i) = blocks(i / 3 * 9 + i % 3 * 4); });
  ExecutionSpace().fence();  // `blocks` is freed
  return diagonal;
}

template <class Real>
CsrMatrix<double> BlockMatrix<Real>::to_csr() const {
  const std::int64_t rows = 3 * std::int64_t(num_nodes()), most = 9 * (num_blocks() + std::int64_t(num_nodes()));
  require_countable(most, "matrix of blocks");
  const Blocks blocks{offsets_.data(), columns_.data()};
  const Vector<Index> counts = make_vector<Index>("linalg/counts", static_cast<std::size_t>(rows));
  Kokkos::parallel_for(
      "linalg/count entries", Range(0, rows), KOKKOS_LAMBDA(const std::int64_t row) {
        const int size = blocks.size(static_cast<Index>(row / 3));
        counts(row) = 3 * (size > 0 ? size : 1);
      });
  const CsrMatrix<double> matrix = make_counted_rows<double>(counts, static_cast<Index>(rows));
  const auto values = values_;
  Kokkos::parallel_for(
      "linalg/copy entries", Range(0, rows), KOKKOS_LAMBDA(const std::int64_t row) {
        const Index node = static_cast<Index>(row / 3);
        const int i = static_cast<int>(row % 3), size = blocks.size(node);
        Index to = matrix.offsets(row);
        if (size == 0)
          for (int k = 0; k < 3; ++k, ++to) {
            matrix.columns(to) = 3 * node + k;
            matrix.values(to) = i == k;
          }
        for (int c = 0; c < size; ++c)
          for (int k = 0; k < 3; ++k, ++to) {
            matrix.columns(to) = 3 * blocks.columns[blocks.offsets[node] + c] + k;
            matrix.values(to) = double(values(9 * blocks.offsets[node] + place(size, c, i, k)));
          }
      });
  ExecutionSpace().fence();  // `counts` is freed
  return matrix;
}

template class BlockMatrix<double>;
template class BlockMatrix<float>;

}  // namespace miniapp::linalg
