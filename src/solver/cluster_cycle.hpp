// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/cluster_smoother.hpp"

namespace miniapp::solver::amg {

#if defined(KOKKOS_ENABLE_CUDA)

/// Restriction and interpolation between a small level and the coarsest one, for ClusterCycle.
struct ClusterTransfers {
  static constexpr int most_coarse = 512;
  Vector<const Index> offsets;      ///< of R's rows
  Vector<std::uint16_t> fine;       ///< R's columns
  Vector<const float> restriction;  ///< R's values
  Vector<std::uint16_t> coarse;     ///< (k, row): column of P's entry k
  Vector<float> interpolation;      ///< (k, row): its value, zeros behind a row's last entry
  Index coarse_rows = 0;
  int width = 0;  ///< the most entries of a row of P

  /// Beside `offsets`, which are R's own.
  double bytes() const {
    return 2. * double(fine.extent(0) + coarse.extent(0)) +
           4. * double(restriction.extent(0) + interpolation.extent(0));
  }
};

/// A V-cycle of two levels in one kernel: the smoother's steps from zero, restriction of the residual, the product with
/// the coarsest level's inverse, interpolation, and the steps again. Rows of coarse vectors are sums by warps with rows
/// of the level, which send them to all teams as they do entries of x.
struct ClusterCycle : ClusterLevel {
  const Index* offsets;
  const std::uint16_t *fine, *coarse;
  const float *restriction, *interpolation;
  const float* inverse;  ///< (row, column)
  Index coarse_rows;
  int width;

  ClusterCycle(const ClusterLevel& level, const ClusterTransfers& t, const Vector<const float>& inverse_of_coarse)
      : ClusterLevel(level),
        offsets(t.offsets.data()),
        fine(t.fine.data()),
        coarse(t.coarse.data()),
        restriction(t.restriction.data()),
        interpolation(t.interpolation.data()),
        inverse(inverse_of_coarse.data()),
        coarse_rows(t.coarse_rows),
        width(t.width) {}

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Row own(*this, team);
    X vector(team, team.scratch());
    const bool takes_part = own.takes_part(*this, team);
    prefetch(team, restriction, offsets[coarse_rows]);
    prefetch(team, fine, offsets[coarse_rows]);
    prefetch(team, inverse, coarse_rows * coarse_rows);
    prefetch(team, interpolation, width * rows);
    prefetch(team, coarse, width * rows);
    own.load_right(*this, team);
    team.cluster_barrier();  // all can receive
    if (takes_part) {
      smooth(team, vector, own, true, true);
      vector.exchange(team, rows, own.is_row ? own.row : -1, own.residual(vector.values()));
      for_coarse_rows(team, vector, own, [&](Index j, int lane, const float* residual) {
        double sum = 0;
        for (Index e = offsets[j] + lane; e < offsets[j + 1]; e += 32) sum += restriction[e] * residual[fine[e]];
        return sum;
      });
    }
    team.team_barrier();  // no thread is two exchanges behind another one of its team
    if (takes_part) {
      for_coarse_rows(team, vector, own, [&](Index j, int lane, const float* f_coarse) {
        double sum = 0;
        for (Index k = lane; k < coarse_rows; k += 32) sum += inverse[std::size_t(j) * coarse_rows + k] * f_coarse[k];
        return sum;
      });
      if (own.is_row)
        for (int k = 0; k < width; ++k) {
          const std::size_t at = std::size_t(k) * rows + own.row;
          own.value += interpolation[at] * vector.values()[coarse[at]];
        }
      vector.exchange(team, rows, own.is_row ? own.row : -1, own.value);
      smooth(team, vector, own, false, false);
    }
    if (own.is_row) x[own.row] = own.value;
    team.cluster_barrier();  // the others may still send to this team
  }

  /// Asks for `size` numbers to be brought from memory to the cache that all teams share.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, const T* from, Index size) const {
    constexpr Index line = 128 / sizeof(T);
    for (Index i = (team.league_rank() * threads + team.team_rank()) * line; i < size; i += line * most_rows)
      team.prefetch(from + i);
  }
  /// Exchanges a coarse vector, entry j the sum of part(j, lane, values) over the lanes of a warp.
  template <class Part>
  KOKKOS_FORCEINLINE_FUNCTION void for_coarse_rows(const Team& team, X& vector, const Row& own,
                                                   const Part& part) const {
    const int lane = team.team_rank() % 32;
    const Index first = own.row / 32, warps = (rows + 31) / 32;
    Index mine = -1;
    float value = 0;
    if (team.team_rank() < rows_per_team)
      for (Index j = first, turn = 0; first < warps && j < coarse_rows; j += warps, ++turn) {
        double sum = part(j, lane, vector.values());
        team.sum(sum);
        if (lane == turn) {
          mine = j;
          value = static_cast<float>(sum);
        }
      }
    vector.exchange(team, coarse_rows, mine, value);
  }
};

/// What ClusterCycle needs of P, from the coarse level, and R, its transpose, if the level above is small and the
/// coarse one not too large.
inline std::optional<ClusterTransfers> make_cluster_transfers(const linalg::CsrMatrix<double>& P,
                                                              const linalg::CsrMatrix<double>& R) {
  const Index rows = P.num_rows, coarse_rows = P.num_columns;
  // a warp has a lane for each of its coarse rows
  if (rows > ClusterLevel::most_rows || coarse_rows > ClusterTransfers::most_coarse || coarse_rows > rows) return {};
  const auto offsets = to_host(P.offsets), columns = to_host(P.columns);
  const auto values = to_host(P.values);
  ClusterTransfers t;
  t.coarse_rows = coarse_rows;
  for (Index row = 0; row < rows; ++row) t.width = std::max<int>(t.width, offsets(row + 1) - offsets(row));
  std::vector<std::uint16_t> coarse(std::size_t(t.width) * rows, 0);
  std::vector<float> interpolation(coarse.size(), 0);
  for (Index row = 0; row < rows; ++row)
    for (Index e = offsets(row), k = 0; e < offsets(row + 1); ++e, ++k) {
      coarse[std::size_t(k) * rows + row] = static_cast<std::uint16_t>(columns(e));
      interpolation[std::size_t(k) * rows + row] = static_cast<float>(values(e));
    }
  const auto of_restriction = to_host(R.columns);
  std::vector<std::uint16_t> fine(of_restriction.extent(0));
  for (std::size_t e = 0; e < fine.size(); ++e) fine[e] = static_cast<std::uint16_t>(of_restriction(e));
  t.offsets = R.offsets;
  t.fine = to_device("solver/amg/columns", fine);
  t.restriction = linalg::convert<float>(R).values;
  t.coarse = to_device("solver/amg/columns", coarse);
  t.interpolation = to_device("solver/amg/values", interpolation);
  return t;
}

/// x = the result of a cycle for f.
inline void cycle_in_cluster(const Instance& instance, const ClusterRows& rows, const ClusterTransfers& transfers,
                             const Vector<const float>& inverse, const std::vector<Step<float>>& steps,
                             const Vector<const float>& scale, const Vector<const float>& f, const Vector<float>& x) {
  for_teams(instance, "solver/amg/small levels", ClusterLevel::teams_per_cluster,
            ClusterCycle({rows, steps, scale, f, x}, transfers, inverse));
}

#endif

}  // namespace miniapp::solver::amg
