// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "linalg/hashed_rows.hpp"

/// Galerkin products on GPUs: one team per row of C = R A P, with a hash table for the row of R A and one for that of
/// C, so that no product is stored in between.
namespace miniapp::linalg {

/// The rows of a matrix, for kernels.
template <class Real>
struct RowsOf {
  const Index *offsets, *columns;
  const Real* values;
  explicit RowsOf(const CsrMatrix<Real>& matrix)
      : offsets(matrix.offsets.data()), columns(matrix.columns.data()), values(matrix.values.data()) {}
  KOKKOS_FORCEINLINE_FUNCTION Index degree(Index row) const { return offsets[row + 1] - offsets[row]; }
};

template <class Real>
struct HashedGalerkin {
  RowsOf<Real> R, A, P;
  const Index* rows;       ///< (team): the row of C
  Index* counts;           ///< (row): number of entries; null while the rows are filled
  const Index* c_offsets;  ///< (row + 1), while the rows are filled
  Index* c_columns;
  Real* c_values;
  Index *overflows, *num_overflows;  ///< rows that do not fit their table, found while they are counted
};

/// Rows for which R A has at most 3/4 `slots` products.
template <class Real, int threads_, int slots, int teams>
struct GalerkinRow {
  static constexpr int threads = threads_, teams_at_once = teams, most = slots / 4 * 3;
  static constexpr std::size_t for_total = threads / 4 + 16;  // Team::total()
  static constexpr std::size_t scratch_bytes = for_total + 2 * slots * (sizeof(Index) + sizeof(Real));
  HashedGalerkin<Real> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index row = g.rows[team.league_rank()];
    const int rank = team.team_rank(), size = team.team_size();
    auto* const sums = reinterpret_cast<Real*>(static_cast<char*>(team.scratch()) + for_total);
    auto* const keys = reinterpret_cast<Index*>(sums + 2 * slots);
    auto* const counter = reinterpret_cast<int*>(static_cast<char*>(team.scratch()) + threads / 4);
    const HashTable<Real> half{keys, sums, slots}, whole{keys + slots, sums + slots, slots};
    for (int i = rank; i < 2 * slots; i += size) {
      keys[i] = HashTable<Real>::empty;
      sums[i] = 0;
    }
    if (rank == 0) *counter = 0;
    team.team_barrier();
    constexpr int group = 8;  // threads that take a row of A
    bool is_new;
    for (Index r = g.R.offsets[row] + rank / group; r < g.R.offsets[row + 1]; r += size / group) {
      const Index i = g.R.columns[r];
      for (Index a = g.A.offsets[i] + rank % group; a < g.A.offsets[i + 1]; a += group) {
        const int at = half.place(g.A.columns[a], is_new);
        if (!g.counts) Kokkos::atomic_add(half.sums + at, g.R.values[r] * g.A.values[a]);
      }
    }
    team.team_barrier();
    double products = 0;
    for (int at = rank; at < slots; at += size)
      if (half.keys[at] != HashTable<Real>::empty) products += g.P.degree(half.keys[at]);
    team.total(products);
    if (products > most) {
      if (g.counts && rank == 0) {
        g.counts[row] = 0;
        g.overflows[Kokkos::atomic_fetch_add(g.num_overflows, 1)] = row;
      }
      return;
    }
    int found = 0;
    for (int at = rank; at < slots; at += size) {
      const Index k = half.keys[at];
      if (k == HashTable<Real>::empty) continue;
      for (Index p = g.P.offsets[k]; p < g.P.offsets[k + 1]; ++p) {
        const int to = whole.place(g.P.columns[p], is_new);
        found += is_new;
        if (!g.counts) Kokkos::atomic_add(whole.sums + to, half.sums[at] * g.P.values[p]);
      }
    }
    if (g.counts && found > 0) Kokkos::atomic_add(counter, found);
    team.team_barrier();
    if (g.counts) {
      if (rank == 0) g.counts[row] = *counter;
      return;
    }
    for (int at = rank; at < slots; at += size)
      if (whole.keys[at] != HashTable<Real>::empty) {
        const Index to = g.c_offsets[row] + Kokkos::atomic_fetch_add(counter, 1);
        g.c_columns[to] = whole.keys[at];
        g.c_values[to] = whole.sums[at];
      }
  }
};

/// Lists the rows of R A by their number of products: rows (class, ..) for tables of each size, and counts how many
/// have more.
struct ListGalerkinRows {
  static constexpr int classes = 3;
  const Index *r_offsets, *r_columns, *a_offsets;
  int most[classes];  ///< products
  Index *rows, *counters;
  Index num_rows;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    std::int64_t products = 0;
    for (Index r = r_offsets[row]; r < r_offsets[row + 1]; ++r)
      products += a_offsets[r_columns[r] + 1] - a_offsets[r_columns[r]];
    int c = 0;
    while (c < classes && products > most[c]) ++c;
    const Index place = Kokkos::atomic_fetch_add(counters + c, 1);
    if (c < classes) rows[std::int64_t(c) * num_rows + place] = row;
  }
};

/// R A P, or nothing where a row needs more than the large tables.
template <class Real>
std::optional<CsrMatrix<Real>> galerkin_hashed(const CsrMatrix<Real>& R, const CsrMatrix<Real>& A,
                                               const CsrMatrix<Real>& P) {
  using Small = GalerkinRow<Real, 64, 512, 12>;
  using Medium = GalerkinRow<Real, 128, 2048, 4>;
  using Large = GalerkinRow<Real, 256, 4096, 2>;
  constexpr int classes = ListGalerkinRows::classes;
  const auto num_rows = static_cast<std::size_t>(R.num_rows);
  const Vector<Index> counters = make_zeros<Index>("linalg/counters", classes + 1);
  const Vector<Index> rows = make_vector<Index>("linalg/rows", classes * num_rows),
                      counts = make_vector<Index>("linalg/counts", num_rows);
  Kokkos::parallel_for("linalg/list rows", RangeOfRows(0, R.num_rows),
                       ListGalerkinRows{R.offsets.data(),
                                        R.columns.data(),
                                        A.offsets.data(),
                                        {Small::most, Medium::most, Large::most},
                                        rows.data(),
                                        counters.data(),
                                        R.num_rows});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counters);
  if (host(classes) > 0) return {};

  const Instance instance;
  HashedGalerkin<Real> g{RowsOf<Real>(R), RowsOf<Real>(A), RowsOf<Real>(P), nullptr, counts.data(),
                         nullptr,         nullptr,         nullptr,         nullptr, nullptr};
  const Vector<Index> overflows = make_vector<Index>("linalg/overflows", num_rows);  // of the largest: there is no next
  const auto run = [&](int c) {
    g.rows = rows.data() + c * num_rows;
    if (c == 0) for_teams(instance, "linalg/galerkin small", host(c), Small{g});
    if (c == 1) for_teams(instance, "linalg/galerkin medium", host(c), Medium{g});
    if (c == 2) for_teams(instance, "linalg/galerkin large", host(c), Large{g});
  };
  for (int c = 0; c < classes; ++c) {  // rows that do not fit are added to the next class
    g.overflows = c + 1 < classes ? rows.data() + (c + 1) * num_rows : overflows.data();
    g.num_overflows = counters.data() + c + 1;
    run(c);
    Kokkos::deep_copy(instance.space(), host, counters);
    instance.fence();
  }
  if (host(classes) > 0) return {};

  CsrMatrix<Real> C = make_counted_rows<Real>(counts, P.num_columns);
  g.counts = nullptr;
  g.c_offsets = C.offsets.data();
  g.c_columns = C.columns.data();
  g.c_values = C.values.data();
  for (int c = 0; c < classes; ++c) run(c);
  sort_rows(instance, C);
  instance.fence();  // before the lists are freed
  return C;
}

}  // namespace miniapp::linalg
