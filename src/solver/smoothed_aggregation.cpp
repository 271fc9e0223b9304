// SPDX-License-Identifier: BSD-3-Clause
#include "solver/smoothed_aggregation.hpp"

#include "core/uses.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/growing_row.hpp"
#include "linalg/rows_with_room.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/linalg/sparse_products.hpp"
#include "solver/by_block.hpp"

namespace miniapp::solver {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// Gram-Schmidt, twice, of the modes of each aggregate, in place, by a team per aggregate that shares its rows of
/// Q (unknown, mode); R (aggregate, mode, mode) are the factors.
struct Orthonormalise {
  static constexpr int threads = 32, teams_at_once = 32;
  static constexpr std::size_t scratch_bytes = 16;  // Team::total()
  const Index *offsets, *nodes;                     ///< (aggregate + 1), and the nodes of each aggregate
  int modes, block;
  double *Q, *R;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index a = team.league_rank();
    double* const factors = R + std::int64_t(a) * modes * modes;
    const bool writes = team.team_rank() == 0;
    for (int i = 0; writes && i < modes * modes; ++i) factors[i] = 0;
    for (int m = 0; m < modes; ++m) {
      const double before = km::sqrt(dot(team, m, m));
      for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < m; ++k) {
          const double part = dot(team, k, m);
          visit(team, [&](double* q) { q[m] -= part * q[k]; });
          if (writes) factors[k * modes + m] += part;
        }
      const double norm = km::sqrt(dot(team, m, m));
      const bool depends = !(norm > 1e-10 * before);
      visit(team, [&](double* q) { q[m] = depends ? 0 : q[m] / norm; });
      if (writes) factors[m * modes + m] = depends ? 0 : norm;
    }
  }

 private:
  /// Visits this thread's rows of Q.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(const Team& team, const Visit& row) const {
    const Index a = team.league_rank(), begin = offsets[a], rows = (offsets[a + 1] - begin) * block;
    for (Index i = team.team_rank(); i < rows; i += team.team_size())
      row(Q + (std::int64_t(nodes[begin + i / block]) * block + i % block) * modes);
  }
  KOKKOS_FORCEINLINE_FUNCTION double dot(const Team& team, int m, int k) const {
    double sum = 0;
    visit(team, [&](const double* q) { sum += q[m] * q[k]; });
    team.total(sum);
    return sum;
  }
};

/// Rows of S = I - omega D^-1 A_F.
struct SmootherRow {
  const Index *offsets, *columns;
  const double* values;
  const Index *coupling_offsets, *coupled;
  int block;
  double omega;

  /// Visits the entries of a row on strong couplings and of its own node, (column, value); returns the sum of the
  /// others.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION double visit_strong(Index row, const Visit& to) const {
    const Index node = by_block(row, block);
    Index strong = coupling_offsets[node];
    double weak = 0;
    for (Index e = offsets[row]; e < offsets[row + 1]; ++e) {
      const Index other = by_block(columns[e], block);
      while (strong < coupling_offsets[node + 1] && coupled[strong] < other) ++strong;
      if (other == node || (strong < coupling_offsets[node + 1] && coupled[strong] == other))
        to(columns[e], values[e]);
      else
        weak += values[e];
    }
    return weak;
  }
  /// Visits the entries of a row of S.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Index row, const Visit& to) const {
    double own = 0;
    const double weak = visit_strong(row, [&](Index column, double value) { own = column == row ? value : own; });
    const double diagonal = lump(own, weak), factor = -omega / diagonal;
    visit_strong(
        row, [&](Index column, double value) { to(column, column == row ? 1 + factor * diagonal : factor * value); });
  }
  /// The diagonal of A_F, from that of A and the sum of weak couplings.
  KOKKOS_FORCEINLINE_FUNCTION double lump(double own, double weak) const {
    return block == 1 && own + weak > 0 ? own + weak : own;
  }
};

constexpr int most_products = 32;  // of a row of S T that one thread adds up

/// Counts the entries of rows of P = S T, or fills them: the `most` that contribute most to P `coarse`, scaled so that
/// this stays.
struct MultiplyByOnes {
  SmootherRow smoother;
  const Index* aggregate;
  const double *Q, *coarse;
  int most;
  Index* counts;         ///< null while the rows are filled
  const Index* offsets;  ///< null while the rows are counted
  Index* columns;
  double* values;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    Index found[most_products];
    double sums[most_products];
    linalg::GrowingRow sum{found, sums};
    const auto add = [&](Index column, double value) {
      if (aggregate[column] >= 0) sum.add(aggregate[column], value * Q[column]);
    };
    if (counts) {
      add(row, 0);
      for (Index e = smoother.coupling_offsets[row]; e < smoother.coupling_offsets[row + 1]; ++e)
        add(smoother.coupled[e], 0);
      counts[row] = sum.size < most ? sum.size : most;
      return;
    }
    double own = 0;
    const double weak = smoother.visit_strong(row, [&](Index column, double value) {
      if (column == row)
        own = value;
      else
        add(column, value);
    });
    const double diagonal = smoother.lump(own, weak), factor = -smoother.omega / diagonal;
    for (int i = 0; i < sum.size; ++i) sums[i] *= factor;
    add(row, 1 + factor * diagonal);
    if (sum.size > most) truncate(sum);
    for (int i = 0; i < sum.size; ++i) {
      columns[offsets[row] + i] = found[i];
      values[offsets[row] + i] = sums[i];
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION double contribution(const linalg::GrowingRow& row, int i) const {
    return row.values[i] * coarse[row.columns[i]];
  }
  KOKKOS_FORCEINLINE_FUNCTION double total(const linalg::GrowingRow& row) const {
    double sum = 0;
    for (int i = 0; i < row.size; ++i) sum += contribution(row, i);
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION void truncate(linalg::GrowingRow& row) const {
    const double before = total(row);
    while (row.size > most) {
      int least = 0;
      for (int i = 1; i < row.size; ++i)
        if (km::fabs(contribution(row, i)) < km::fabs(contribution(row, least))) least = i;
      row.remove(least);
    }
    const double after = total(row);
    if (!(before * after > 0)) return;
    for (int i = 0; i < row.size; ++i) row.values[i] *= before / after;
  }
};

/// T as a matrix: `modes` entries where a node is in an aggregate.
linalg::CsrMatrix<double> make_tentative(const Aggregates& aggregates, const Vector<double>& Q, int modes, int block) {
  const auto rows = static_cast<Index>(Q.extent(0)) / modes;
  const Vector<Index> counts = make_vector<Index>("solver/counts", static_cast<std::size_t>(rows));
  const Vector<Index> aggregate = aggregates.of_node;
  Kokkos::parallel_for(
      "solver/count tentative", Range(0, rows),
      KOKKOS_LAMBDA(const Index row) { counts(row) = aggregate(row / block) >= 0 ? modes : 0; });
  const linalg::CsrMatrix<double> T = linalg::make_counted_rows<double>(counts, aggregates.count * modes);
  Kokkos::parallel_for(
      "solver/fill tentative", Range(0, rows), KOKKOS_LAMBDA(const Index row) {
        const Index a = aggregate(row / block), begin = T.offsets(row);
        if (a < 0) return;
        for (int m = 0; m < modes; ++m) {
          T.columns(begin + m) = a * modes + m;
          T.values(begin + m) = Q(std::int64_t(row) * modes + m);
        }
      });
  return T;
}

/// S as a matrix.
linalg::CsrMatrix<double> make_smoother(const SmootherRow& smoother, Index rows, Index num_columns) {
  const Vector<Index> counts = make_vector<Index>("solver/counts", static_cast<std::size_t>(rows));
  const Index* const couplings = smoother.coupling_offsets;
  const int block = smoother.block;
  Kokkos::parallel_for(
      "solver/count smoother", Range(0, rows), KOKKOS_LAMBDA(const Index row) {
        counts(row) = (couplings[row / block + 1] - couplings[row / block] + 1) * block;
      });
  linalg::CsrMatrix<double> S = linalg::make_counted_rows<double>(counts, num_columns);
  Kokkos::parallel_for(
      "solver/fill smoother", Range(0, rows),
      linalg::FillRows<SmootherRow, double>{smoother, S.offsets.data(), S.columns.data(), S.values.data()});
  return S;
}

/// S T where T has one entry per row and rows of S are short, at most `most` entries per row, with room for so many
/// rows below.
linalg::LocalRows multiply_by_ones(const SmootherRow& smoother, const linalg::SingleRows& T, Index rows,
                                   const Vector<double>& coarse, int most, std::size_t rows_below) {
  const Vector<Index> counts = make_vector<Index>("solver/counts", static_cast<std::size_t>(rows));
  MultiplyByOnes multiply{smoother,      T.columns.data(), T.values.data(), coarse.data(), most,
                          counts.data(), nullptr,          nullptr,         nullptr};
  Kokkos::parallel_for("solver/count interpolation", Range(0, rows), multiply);
  const auto entries = static_cast<std::size_t>(linalg::sum_entries(counts)),
             with_room = linalg::with_room(entries, rows, rows_below);
  linalg::LocalRows P{{rows, T.num_columns, offsets_of(counts), {}, {}},
                      T.ghosts,
                      make_vector<Index>("linalg/columns", with_room),
                      make_vector<double>("linalg/values", with_room)};
  P.rows.columns = linalg::first_of(P.columns_with_room, entries);
  P.rows.values = linalg::first_of(P.values_with_room, entries);
  multiply.counts = nullptr;
  multiply.offsets = P.rows.offsets.data();
  multiply.columns = P.rows.columns.data();
  multiply.values = P.rows.values.data();
  Kokkos::parallel_for("solver/fill interpolation", Range(0, rows), multiply);
  return P;
}

}  // namespace

Interpolation make_interpolation(const linalg::GhostedMatrix& matrix, const Couplings& couplings,
                                 const Aggregates& aggregates, const Vector<const double>& near_null, int modes,
                                 int block, double omega, int most) {
  const linalg::CsrMatrix<double>& A = matrix.rows;
  const Uses members = find_uses(aggregates.of_node, aggregates.count);  // the nodes of aggregates
  const Vector<double> Q = make_vector<double>("solver/modes", near_null.extent(0));
  copy_entries(Q, near_null);
  Interpolation result{{}, make_vector<double>("solver/coarse modes", std::size_t(aggregates.count) * modes * modes)};
  for_teams(
      Instance(), "solver/orthonormalise", aggregates.count,
      Orthonormalise{members.offsets.data(), members.positions.data(), modes, block, Q.data(), result.coarse.data()});
  const SmootherRow smoother{A.offsets.data(),
                             A.columns.data(),
                             A.values.data(),
                             couplings.offsets.data(),
                             couplings.nodes.data(),
                             block,
                             omega};
  Index longest = 0;
  const Vector<Index> offsets = couplings.offsets;
  Kokkos::parallel_reduce(
      "solver/longest row", Range(0, couplings.size()),
      KOKKOS_LAMBDA(const Index row, Index& most_yet) {
        const Index size = offsets(row + 1) - offsets(row);
        most_yet = size > most_yet ? size : most_yet;
      },
      Kokkos::Max<Index>(longest));
  const bool alone = matrix.ranks.is_alone();
  longest = static_cast<Index>(matrix.ranks.of_all(Reduction::max, std::int64_t(longest)));  // ranks go the same way
  if (modes == 1 && block == 1 && longest < most_products) {
    linalg::SingleRows T{aggregates.of_node, Q, aggregates.count};
    if (!alone) T = linalg::append_rows(T, matrix);
    // the product with A will fetch rows of ghosts, and of what those are coupled to
    result.P = multiply_by_ones(smoother, T, A.num_rows, result.coarse, most > 0 && alone ? most : most_products,
                                3 * matrix.ghosts.size());
    return result;
  }
  linalg::LocalRows T{make_tentative(aggregates, Q, modes, block), {}};
  if (!alone) T = linalg::append_rows(T, {&matrix});
  const linalg::CsrMatrix<double> S = make_smoother(smoother, A.num_rows, A.num_columns);
  result.P = {linalg::multiply(S, T.rows, {block, block, modes}), T.ghosts};
  return result;
}

void fill_empty_diagonal(const linalg::CsrMatrix<double>& matrix) {
  Kokkos::parallel_for(
      "solver/fill empty", Range(0, matrix.num_rows), KOKKOS_LAMBDA(const Index row) {
        for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1); ++e)
          if (matrix.columns(e) == row && matrix.values(e) == 0) matrix.values(e) = 1;
      });
}

}  // namespace miniapp::solver
