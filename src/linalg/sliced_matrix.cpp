// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/sliced_matrix.hpp"

#include "core/offsets.hpp"

namespace miniapp::linalg {
namespace {

/// What a team finds out about a slice, in scratch.
struct Found {
  static constexpr int most = 64;
  Index width, longest;  ///< entries of the longest row; that row, the first of several
  int irregular;
  int size;            ///< number of diagonals
  Index others;        ///< groups that the other entries need
  Index offset[most];  ///< (diagonal): column - row, ascending
  int count[most];     ///< rows that have it
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void raise(T* at, T value) {
  if constexpr (runs_on_host)
    *at = value > *at ? value : *at;
  else
    Kokkos::atomic_fetch_max(at, value);
}

/// A team's work on a slice; its threads share the rows. On a host it has one thread.
template <class Real>
struct Cut {
  static constexpr int L = slice_rows<Real>;
  const Index *offsets, *columns;
  Index num_rows, num_columns;

  KOKKOS_FORCEINLINE_FUNCTION Index degree(Index row) const { return offsets[row + 1] - offsets[row]; }
  /// Whether all lanes of a diagonal have columns.
  KOKKOS_FORCEINLINE_FUNCTION bool fits(Index first, Index offset) const {
    const std::int64_t column = std::int64_t(first) + offset;
    return column >= 0 && column + L <= num_columns;
  }
  /// Calls visit(row) for the rows of a thread.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_rows(const Team& team, const Visit& visit) const {
    const Index first = team.league_rank() * L;
    const Index end = std::int64_t(first) + L < num_rows ? first + L : num_rows;
    for (Index row = first + team.team_rank(); row < end; row += team.team_size()) visit(row);
  }
  /// Visits the entries of a row: on(d, e) where entry e is on diagonal d, off(e) where it is on none.
  template <class On, class Off>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Index row, const Found& found, const On& on, const Off& off) const {
    int d = 0;
    for (Index e = offsets[row]; e < offsets[row + 1]; ++e) {
      const Index offset = columns[e] - row;
      while (d < found.size && found.offset[d] < offset) ++d;
      if (d < found.size && found.offset[d] == offset)
        on(d, e);
      else
        off(e);
    }
  }

  /// Whether a row has the diagonals and nothing else.
  KOKKOS_FORCEINLINE_FUNCTION bool is_regular(Index row, const Found& found) const {
    if (degree(row) != found.size) return false;
    const Index* const own = columns + offsets[row];
    for (int d = 0; d < found.size; ++d)
      if (own[d] - row != found.offset[d]) return false;
    return true;
  }

  /// Finds the diagonals that more than half of the rows have and whose columns exist for all lanes; none where the
  /// slice needs fewer bytes without. Those of the longest row are looked at. Each step ends with a barrier.
  KOKKOS_FUNCTION void find(const Team& team, Found& found) const {
    find_longest_row(team, found);
    list_diagonals(team, found);
    if (found.size > 0) look_for_other_entries(team, found);
    if (found.size == 0 || !found.irregular) return;
    keep_frequent_diagonals(team, found);
    if (found.size == 0) return;
    count_other_groups(team, found);
    keep_diagonals_that_pay(team, found);
  }
  /// The slice has no diagonals, and `groups` groups of entries anywhere.
  KOKKOS_FUNCTION void keep_none(const Team& team, Found& found, Index groups) const {
    if (leads(team)) {
      found.size = 0;
      found.others = groups;
    }
    team.team_barrier();
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static bool leads(const Team& team) { return team.team_rank() == 0; }

  KOKKOS_FUNCTION void find_longest_row(const Team& team, Found& found) const {
    if (leads(team)) {
      found.width = 0;
      found.longest = num_rows;
      found.irregular = 0;
      found.others = 0;
    }
    team.team_barrier();
    for_rows(team, [&](Index row) { raise(&found.width, degree(row)); });
    team.team_barrier();
    for_rows(team, [&](Index row) {
      if (degree(row) != found.width) return;
      if constexpr (runs_on_host)
        found.longest = row < found.longest ? row : found.longest;
      else
        Kokkos::atomic_fetch_min(&found.longest, row);
    });
    team.team_barrier();
  }
  /// Lists the diagonals of the longest row, or none where they are too many.
  KOKKOS_FUNCTION void list_diagonals(const Team& team, Found& found) const {
    const int size = found.width <= Found::most ? found.width : 0;
    if (leads(team)) {
      found.size = size;
      found.others = size > 0 ? 0 : found.width;
    }
    for (int d = team.team_rank(); d < size; d += team.team_size()) {
      found.offset[d] = columns[offsets[found.longest] + d] - found.longest;
      found.count[d] = 0;
      if (!fits(team.league_rank() * L, found.offset[d])) found.irregular = 1;
    }
    team.team_barrier();
  }
  KOKKOS_FUNCTION void look_for_other_entries(const Team& team, Found& found) const {
    for_rows(team, [&](Index row) {
      if (!is_regular(row, found)) found.irregular = 1;
    });
    team.team_barrier();
  }
  KOKKOS_FUNCTION void keep_frequent_diagonals(const Team& team, Found& found) const {
    for_rows(team, [&](Index row) {
      visit(
          row, found,
          [&](int d, Index) {
            if constexpr (runs_on_host)
              ++found.count[d];
            else
              Kokkos::atomic_add(found.count + d, 1);
          },
          [](Index) {});
    });
    team.team_barrier();
    if (leads(team)) {
      const Index first = team.league_rank() * L, rows = num_rows - first < L ? num_rows - first : L;
      int kept = 0;
      for (int d = 0; d < found.size; ++d)
        if (2 * found.count[d] > rows && fits(first, found.offset[d])) found.offset[kept++] = found.offset[d];
      found.size = kept;
      if (kept == 0) found.others = found.width;
    }
    team.team_barrier();
  }
  KOKKOS_FUNCTION void count_other_groups(const Team& team, Found& found) const {
    for_rows(team, [&](Index row) {
      Index count = 0;
      visit(
          row, found, [](int, Index) {}, [&](Index) { ++count; });
      raise(&found.others, count);
    });
    team.team_barrier();
  }
  KOKKOS_FUNCTION void keep_diagonals_that_pay(const Team& team, Found& found) const {
    constexpr std::int64_t diagonal = L * sizeof(Real) + sizeof(Index), other = L * (sizeof(Real) + sizeof(Index));
    if (leads(team) && found.size * diagonal + found.others * other >= found.width * other) {
      found.size = 0;
      found.others = found.width;
    }
    team.team_barrier();
  }
};

/// Counts groups and blocks of columns of a slice.
template <class Real>
struct CountGroups {
  static constexpr int threads = slice_rows<Real>, teams_at_once = 16;
  static constexpr std::size_t scratch_bytes = sizeof(Found);
  Cut<Real> cut;
  Index *groups, *blocks;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto& found = *static_cast<Found*>(team.scratch());
    cut.find(team, found);
    if (team.team_rank() > 0) return;
    blocks[team.league_rank()] = found.others;
    groups[team.league_rank()] = found.size + found.others;
  }
};

template <class From, class Real>
struct FillGroups {
  static constexpr int L = slice_rows<Real>, threads = L, teams_at_once = 16;
  static constexpr std::size_t scratch_bytes = sizeof(Found);
  Cut<Real> cut;
  const Index *first_group, *first_block;
  const From* from;
  Index *starts, *columns;
  Real* values;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto& found = *static_cast<Found*>(team.scratch());
    const Index slice = team.league_rank(), group = first_group[slice], block = first_block[slice], first = slice * L;
    const Index blocks = first_block[slice + 1] - block;
    if (blocks == first_group[slice + 1] - group)
      cut.keep_none(team, found, blocks);
    else
      cut.find(team, found);
    const int size = found.size;
    for (int g = team.team_rank(); g < size + found.others; g += team.team_size())
      starts[group + g] = g < size ? first + found.offset[g] : ~(block + g - size);
    for (int lane = team.team_rank(); lane < L; lane += team.team_size()) {
      for (Index g = 0; g < size + found.others; ++g) values[std::int64_t(group + g) * L + lane] = 0;
      for (Index b = 0; b < found.others; ++b) columns[std::int64_t(block + b) * L + lane] = 0;
    }
    cut.for_rows(team, [&](Index row) {
      const int lane = static_cast<int>(row - first);
      Index b = 0;
      cut.visit(
          row, found, [&](int d, Index e) { values[std::int64_t(group + d) * L + lane] = static_cast<Real>(from[e]); },
          [&](Index e) {
            columns[std::int64_t(block + b) * L + lane] = cut.columns[e];
            values[std::int64_t(group + size + b) * L + lane] = static_cast<Real>(from[e]);
            ++b;
          });
    });
  }
};

}  // namespace

template <class Real>
template <class From>
SlicedMatrix<Real>::SlicedMatrix(const CsrMatrix<From>& matrix)
    : num_rows_(matrix.num_rows), num_columns_(matrix.num_columns) {
  constexpr int L = slice_rows<Real>;
  const Index slices = num_rows_ / L + (num_rows_ % L > 0);
  const Cut<Real> cut{matrix.offsets.data(), matrix.columns.data(), num_rows_, num_columns_};
  const Vector<Index> groups = make_vector<Index>("linalg/groups", static_cast<std::size_t>(slices)),
                      blocks = make_vector<Index>("linalg/blocks", static_cast<std::size_t>(slices));
  const Instance instance;
  for_teams(instance, "linalg/count groups", slices, CountGroups<Real>{cut, groups.data(), blocks.data()});
  offsets_ = offsets_of(groups);
  const Vector<Index> first_block = offsets_of(blocks);
  const auto num_groups = static_cast<std::size_t>(last_of(offsets_)),
             num_blocks = static_cast<std::size_t>(last_of(first_block));
  starts_ = make_vector<Index>("linalg/starts", num_groups);
  columns_ = make_vector<Index>("linalg/columns", num_blocks * L);
  values_ = make_vector<Real>("linalg/values", num_groups * L);
  for_teams(instance, "linalg/fill groups", slices,
            FillGroups<From, Real>{cut, offsets_.data(), first_block.data(), matrix.values.data(), starts_.data(),
                                   columns_.data(), values_.data()});
  instance.fence();  // before what it reads is freed
}

template SlicedMatrix<double>::SlicedMatrix(const CsrMatrix<double>&);
template SlicedMatrix<float>::SlicedMatrix(const CsrMatrix<double>&);
template SlicedMatrix<float>::SlicedMatrix(const CsrMatrix<float>&);

}  // namespace miniapp::linalg
