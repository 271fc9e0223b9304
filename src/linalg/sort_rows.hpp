// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"
#include "miniapp/linalg/csr_matrix.hpp"

namespace miniapp::linalg {

/// Sorts the entries of a row by column: short rows by insertion, long ones by a heap.
template <class Real>
struct SortRow {
  const Index* offsets;
  Index* columns;
  Real* values;

  KOKKOS_FUNCTION void operator()(const Index row) const {
    const Index begin = offsets[row], size = offsets[row + 1] - begin;
    if (size <= 48)
      insert(columns + begin, values + begin, size);
    else
      heap(columns + begin, values + begin, size);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void insert(Index* column, Real* value, Index size) {
    for (Index i = 1; i < size; ++i) {
      const Index c = column[i];
      const Real v = value[i];
      Index to = i;
      for (; to > 0 && column[to - 1] > c; --to) {
        column[to] = column[to - 1];
        value[to] = value[to - 1];
      }
      column[to] = c;
      value[to] = v;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void sink(Index* column, Real* value, Index at, Index size) {
    const Index c = column[at];
    const Real v = value[at];
    for (Index child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && column[child + 1] > column[child]) ++child;
      if (column[child] <= c) break;
      column[at] = column[child];
      value[at] = value[child];
      at = child;
    }
    column[at] = c;
    value[at] = v;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void heap(Index* column, Real* value, Index size) {
    for (Index at = size / 2; at-- > 0;) sink(column, value, at, size);
    for (Index end = size - 1; end > 0; --end) {
      const Index c = column[0];
      const Real v = value[0];
      column[0] = column[end];
      value[0] = value[end];
      column[end] = c;
      value[end] = v;
      sink(column, value, 0, end);
    }
  }
};

/// Sorts on a GPU, by a team per row: an entry's place is the number of smaller columns.
template <class Real>
struct SortRowByTeam {
  static constexpr int threads = 32, teams_at_once = 32, most = 256;
  static constexpr std::size_t scratch_bytes = most * (sizeof(Index) + sizeof(Real));
  SortRow<Real> row;
  const Index* rows;  ///< (team): row to sort; null: all rows

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index own = rows ? rows[team.league_rank()] : team.league_rank();
    const Index begin = row.offsets[own], size = row.offsets[own + 1] - begin;
    if (size > most) {
      if (team.team_rank() == 0) row(own);
      return;
    }
    auto* const value = static_cast<Real*>(team.scratch());
    auto* const column = reinterpret_cast<Index*>(value + most);
    for (Index i = team.team_rank(); i < size; i += team.team_size()) {
      column[i] = row.columns[begin + i];
      value[i] = row.values[begin + i];
    }
    team.team_barrier();
    for (Index i = team.team_rank(); i < size; i += team.team_size()) {
      Index place = begin;
      for (Index k = 0; k < size; ++k) place += column[k] < column[i];
      row.columns[place] = column[i];
      row.values[place] = value[i];
    }
  }
};

template <class Real>
struct SortListedRow {
  SortRow<Real> row;
  const Index* rows;
  KOKKOS_FUNCTION void operator()(const Index i) const { row(rows[i]); }
};

/// Sorts the entries of `count` rows by column, one thread per row, without waiting.
template <class Real>
void sort_short_rows(const Instance& instance, const CsrMatrix<Real>& matrix, const Index* rows, Index count) {
  const SortRow<Real> row{matrix.offsets.data(), matrix.columns.data(), matrix.values.data()};
  Kokkos::parallel_for("linalg/sort short rows",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(instance.space(), 0, count),
                       SortListedRow<Real>{row, rows});
}

/// Sorts the entries of `count` rows by column, on a GPU, without waiting.
template <class Real>
void sort_rows(const Instance& instance, const CsrMatrix<Real>& matrix, const Index* rows, Index count) {
  const SortRow<Real> row{matrix.offsets.data(), matrix.columns.data(), matrix.values.data()};
  for_teams(instance, "linalg/sort rows", count, SortRowByTeam<Real>{row, rows});
}

/// Sorts the entries of all rows by column, without waiting.
template <class Real>
void sort_rows(const Instance& instance, const CsrMatrix<Real>& matrix) {
  const SortRow<Real> row{matrix.offsets.data(), matrix.columns.data(), matrix.values.data()};
  if constexpr (runs_on_host)
    Kokkos::parallel_for(
        "linalg/sort rows",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(instance.space(), 0, matrix.num_rows), row);
  else
    for_teams(instance, "linalg/sort rows", matrix.num_rows, SortRowByTeam<Real>{row, nullptr});
}

}  // namespace miniapp::linalg
