// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "linalg/counted_rows.hpp"
#include "linalg/sort_rows.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/linalg/csr_matrix.hpp"

/// Products of sparse matrices on GPUs: one team per row of C, which adds up the products of the row in a hash table.
namespace miniapp::linalg {

/// A hash table of columns, `size` a power of two, with one number per column: in scratch or in global memory.
template <class Real>
struct HashTable {
  static constexpr Index empty = -1;
  Index* keys;
  Real* sums;
  int size;

  /// The place of a column, which is entered where it is new.
  KOKKOS_FORCEINLINE_FUNCTION int place(Index column, bool& is_new) const {
    auto at = static_cast<int>(static_cast<std::uint32_t>(column) * 2654435769u) & (size - 1);
    for (;; at = (at + 1) & (size - 1)) {
      const Index found = Kokkos::atomic_compare_exchange(keys + at, empty, column);
      if (found == empty || found == column) {
        is_new = found == empty;
        return at;
      }
    }
  }
};

/// The threads of a team that work on one row; row < 0: on none, but they take part in barriers.
struct RowThreads {
  int rank, size;
  Index row;
};

/// What all rows of C share.
template <class Real>
struct HashedProduct {
  const Index *a_offsets, *a_columns, *b_offsets, *b_columns;
  const Real *a_values, *b_values;
  const Index* rows;       ///< the rows of C to compute
  Index num_rows;          ///< how many
  Index* counts;           ///< (row): number of entries; null while the rows are filled
  const Index* c_offsets;  ///< (row + 1), while the rows are filled
  Index* c_columns;
  Real* c_values;

  /// The threads of a team that is cut into groups of `size`.
  KOKKOS_FORCEINLINE_FUNCTION RowThreads threads_of(const Team& team, int size) const {
    const Index i = team.league_rank() * (team.team_size() / size) + team.team_rank() / size;
    return {team.team_rank() % size, size, i < num_rows ? rows[i] : -1};
  }

  /// Enters the products of a row, and counts or sums them; `counter` is shared by the threads of the row.
  KOKKOS_FORCEINLINE_FUNCTION void run(const Team& team, const RowThreads& own, const HashTable<Real>& table,
                                       int* counter) const {
    for (int i = own.rank; i < table.size; i += own.size) {
      table.keys[i] = HashTable<Real>::empty;
      table.sums[i] = 0;
    }
    if (own.rank == 0) *counter = 0;
    team.team_barrier();
    constexpr int group = 4;  // threads that take a row of B, whose entries are few and consecutive
    int found = 0;
    if (own.row >= 0)
      for (Index a = a_offsets[own.row] + own.rank / group; a < a_offsets[own.row + 1]; a += own.size / group) {
        const Index k = a_columns[a];
        const Real factor = a_values[a];
        for (Index b = b_offsets[k] + own.rank % group; b < b_offsets[k + 1]; b += group) {
          bool is_new = false;
          const int at = table.place(b_columns[b], is_new);
          found += is_new;
          if (!counts) Kokkos::atomic_add(table.sums + at, factor * b_values[b]);
        }
      }
    if (counts && found > 0) Kokkos::atomic_add(counter, found);
    team.team_barrier();
    if (own.row < 0) return;
    if (counts) {
      if (own.rank == 0) counts[own.row] = *counter;
      return;
    }
    const Index begin = c_offsets[own.row];
    for (int i = own.rank; i < table.size; i += own.size)
      if (table.keys[i] != HashTable<Real>::empty) {
        const Index to = begin + Kokkos::atomic_fetch_add(counter, 1);
        c_columns[to] = table.keys[i];
        c_values[to] = table.sums[i];
      }
  }
};

/// Rows whose tables fit scratch; `per_row` threads work on one row.
template <class Real, int threads_, int per_row, int slots, int teams>
struct HashInScratch {
  static constexpr int threads = threads_, teams_at_once = teams, rows = threads / per_row;
  static constexpr std::size_t scratch_bytes = 16 * rows + rows * slots * (sizeof(Index) + sizeof(Real));
  HashedProduct<Real> product;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const sums = static_cast<Real*>(team.scratch());
    auto* const keys = reinterpret_cast<Index*>(sums + rows * slots);
    const int r = team.team_rank() / per_row;
    product.run(team, product.threads_of(team, per_row), {keys + r * slots, sums + r * slots, slots},
                keys + rows * slots + r);
  }
  static Index teams_for(Index count) { return (count + rows - 1) / rows; }
};

/// Rows whose table lies in global memory.
template <class Real>
struct HashInMemory {
  static constexpr int threads = 256, teams_at_once = 4;
  static constexpr std::size_t scratch_bytes = 16;
  HashedProduct<Real> product;
  Index* keys;
  Real* sums;
  int slots;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t begin = std::int64_t(team.league_rank()) * slots;
    product.run(team, product.threads_of(team, threads), {keys + begin, sums + begin, slots},
                static_cast<int*>(team.scratch()));
  }
};

/// Classes of rows by the number of products that they add up.
inline constexpr int hash_classes = 4;
inline constexpr int hash_slots[] = {64, 512, 4096};  ///< slots of all classes but the last
KOKKOS_INLINE_FUNCTION int hash_class(std::int64_t products) {
  return products <= 48 ? 0 : products <= 384 ? 1 : products <= 3072 ? 2 : 3;
}

/// Counts rows per class, or lists them.
struct SortByClass {
  const Index *a_offsets, *a_columns, *b_offsets;
  Index* next;  ///< (class)
  Index* rows;  ///< null: only count
  Index* most;  ///< (1): most products of a row
  Index row_limit;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    std::int64_t products = 0;
    for (Index a = a_offsets[row]; a < a_offsets[row + 1]; ++a)
      products += b_offsets[a_columns[a] + 1] - b_offsets[a_columns[a]];
    const int c = hash_class(products);
    const Index place = Kokkos::atomic_fetch_add(next + c, 1);
    if (rows)
      rows[place] = row;
    else if (c == hash_classes - 1)
      Kokkos::atomic_fetch_max(most, static_cast<Index>(products < row_limit ? products : row_limit));
  }
};

using RangeOfRows = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

template <class Real>
CsrMatrix<Real> multiply_hashed(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B) {
  const auto num_rows = static_cast<std::size_t>(A.num_rows);
  const Vector<Index> counters = make_zeros<Index>("linalg/classes", hash_classes + 1);
  const Vector<Index> rows = make_vector<Index>("linalg/rows", num_rows);
  SortByClass sort{A.offsets.data(), A.columns.data(), B.offsets.data(),
                   counters.data(),  nullptr,          counters.data() + hash_classes,
                   B.num_columns};
  Kokkos::parallel_for("linalg/count classes", RangeOfRows(0, A.num_rows), sort);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counters);
  Index first[hash_classes + 1] = {};
  for (int c = 0; c < hash_classes; ++c) first[c + 1] = first[c] + host(c);
  const Index most_products = host(hash_classes);
  copy_entries(slice(counters, 0, hash_classes), HostVector<const Index>(first, hash_classes));
  sort.rows = rows.data();
  Kokkos::parallel_for("linalg/list classes", RangeOfRows(0, A.num_rows), sort);

  int slots = hash_slots[2];
  while (slots < 2 * most_products) slots *= 2;
  constexpr Index teams_in_memory = 512;
  const auto table =
      static_cast<std::size_t>(first[4] > first[3] ? std::min(teams_in_memory, first[4] - first[3]) : 0) *
      static_cast<std::size_t>(slots);
  const Vector<Index> keys = make_vector<Index>("linalg/keys", table);
  const Vector<Real> sums = make_vector<Real>("linalg/sums", table);
  const Instance instance;
  using Short = HashInScratch<Real, 128, 16, hash_slots[0], 8>;
  using Medium = HashInScratch<Real, 64, 64, hash_slots[1], 16>;
  using Long = HashInScratch<Real, 256, 256, hash_slots[2], 4>;
  const auto run = [&](HashedProduct<Real> product) {
    const auto take_class = [&](int c) {
      product.rows = rows.data() + first[c];
      product.num_rows = first[c + 1] - first[c];
    };
    take_class(0);
    for_teams(instance, "linalg/hash short rows", Short::teams_for(product.num_rows), Short{product});
    take_class(1);
    for_teams(instance, "linalg/hash rows", product.num_rows, Medium{product});
    take_class(2);
    for_teams(instance, "linalg/hash long rows", product.num_rows, Long{product});
    take_class(3);
    const Index* const all = product.rows;
    for (Index done = 0, count = product.num_rows; done < count; done += teams_in_memory) {
      product.rows = all + done;
      product.num_rows = std::min(teams_in_memory, count - done);
      for_teams(instance, "linalg/hash in memory", product.num_rows,
                HashInMemory<Real>{product, keys.data(), sums.data(), slots});
    }
  };
  HashedProduct<Real> product{A.offsets.data(), A.columns.data(), B.offsets.data(), B.columns.data(),
                              A.values.data(),  B.values.data(),  nullptr,          0,
                              nullptr,          nullptr,          nullptr,          nullptr};
  const Vector<Index> counts = make_vector<Index>("linalg/counts", num_rows);
  product.counts = counts.data();
  run(product);
  CsrMatrix<Real> C = make_counted_rows<Real>(counts, B.num_columns);
  product.counts = nullptr;
  product.c_offsets = C.offsets.data();
  product.c_columns = C.columns.data();
  product.c_values = C.values.data();
  run(product);
  sort_short_rows(instance, C, rows.data(), first[1]);
  sort_rows(instance, C, rows.data() + first[1], first[hash_classes] - first[1]);
  instance.fence();  // before tables are freed
  return C;
}

}  // namespace miniapp::linalg
