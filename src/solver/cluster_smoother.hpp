// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/amg_kernels.hpp"

namespace miniapp::solver::amg {

#if defined(KOKKOS_ENABLE_CUDA)

/// Copies of a vector in the scratch of all teams of a cluster, for kernels that change it step by step: each thread
/// sends its entry to every team, and waits until its team has received all entries. Two copies take turns, so that
/// nobody has to wait until a copy has been read: who sends step t + 1 has received all of step t, and so has everybody
/// read step t - 1.
template <int most_entries, int teams>
struct ClusterVector {
  static constexpr std::size_t bytes = 2 * (most_entries * sizeof(float) + sizeof(std::uint64_t));
  float* first;                  ///< copy 0; copy 1 follows it, and then their barriers
  std::uint32_t place, barrier;  ///< of copy 0, addresses in the window of shared memory
  std::uint32_t sent_bytes;
  std::uint32_t now = 1;       ///< the copy that was received last
  std::uint32_t parities = 0;  ///< bit c: of copy c's barrier

  /// All threads of the cluster; `entries` of the vector.
  KOKKOS_FORCEINLINE_FUNCTION ClusterVector([[maybe_unused]] const Team& team, void* scratch, int entries)
      : first(static_cast<float*>(scratch)), sent_bytes(entries * sizeof(float)) {
#if __CUDA_ARCH__ >= 900
    place = static_cast<std::uint32_t>(__cvta_generic_to_shared(scratch));
    barrier = place + 2 * most_entries * std::uint32_t(sizeof(float));
    if (team.team_rank() == 0) {
      for (int c = 0; c < 2; ++c)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier + 8 * c) : "memory");
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
#endif
  }
  /// The copy of this team that was received last; before all, copy 1.
  KOKKOS_FORCEINLINE_FUNCTION float* values() const { return first + now * most_entries; }
  /// Sends entry i, unless it is negative, and receives all entries into the other copy.
  KOKKOS_FORCEINLINE_FUNCTION void exchange([[maybe_unused]] const Team& team, [[maybe_unused]] int i,
                                            [[maybe_unused]] float value) {
    now ^= 1;
#if __CUDA_ARCH__ >= 900
    const std::uint32_t own = barrier + 8 * now;
    if (team.team_rank() == 0)
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(own), "r"(sent_bytes) : "memory");
    if (i >= 0) {
      const std::uint32_t to = place + (now * most_entries + i) * std::uint32_t(sizeof(float));
      MINIAPP_UNROLL
      for (int other = 0; other < teams; ++other)
        asm volatile(
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(at_team(to, other)),
            "r"(__float_as_uint(value)), "r"(at_team(own, other))
            : "memory");
    }
    std::uint32_t done = 0;
    while (!done)
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; "
          "}"
          : "=r"(done)
          : "r"(own), "r"(parities >> now & 1)
          : "memory");
    parities ^= 1u << now;
#endif
  }

#if __CUDA_ARCH__ >= 900
 private:
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t at_team(std::uint32_t own, int team) {
    std::uint32_t other;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(team));
    return other;
  }
#endif
};

/// The rows of a small matrix for ClusterSmoother.
struct ClusterRows {
  static constexpr int most_entries = 28, pairs = most_entries / 2;  ///< per row
  Vector<std::uint32_t> columns;                                     ///< (pair, row): two columns of 16 bits
  Vector<float> values;                                              ///< (entry, row), zeros behind a row's last entry
  Index rows = 0;
};

/// All steps of a smoother (Step) in one kernel: a cluster of teams with a thread per row, the row's entries in
/// registers and x in a ClusterVector, so that a step neither reads nor writes memory. In single precision, as cycles
/// over orders are.
struct ClusterSmoother {
  static constexpr int threads = 1024, teams_at_once = 1, teams_per_cluster = 8;
  static constexpr int most_rows = threads * teams_per_cluster, most_steps = 16;
  using X = ClusterVector<most_rows, teams_per_cluster>;
  static constexpr std::size_t scratch_bytes = X::bytes;

  const std::uint32_t* columns;
  const float* values;
  Index rows;
  int rows_per_team;
  Step<float> steps[most_steps];
  int count;
  const float *scale, *f;
  float *x, *residual;  ///< f - A x in the end; null: not wanted
  bool from_zero;       ///< x is zero at the start

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index row = team.league_rank() * rows_per_team + team.team_rank();
    const bool is_row = team.team_rank() < rows_per_team && row < rows;
    X copies(team, team.scratch(), rows);
    float entry[ClusterRows::most_entries];
    std::uint32_t pair[ClusterRows::pairs];
    MINIAPP_UNROLL
    for (int k = 0; k < ClusterRows::most_entries; ++k) entry[k] = is_row ? values[std::size_t(k) * rows + row] : 0;
    MINIAPP_UNROLL
    for (int k = 0; k < ClusterRows::pairs; ++k) pair[k] = is_row ? columns[std::size_t(k) * rows + row] : 0;
    const float right = is_row ? f[row] : 0, factor = is_row ? scale[row] : 0;
    float value = is_row && !from_zero ? x[row] : 0, direction = 0;
    if (!from_zero)
      for (Index i = team.team_rank(); i < rows; i += threads) copies.values()[i] = x[i];
    team.cluster_barrier();  // all have read x and can receive
    const auto product = [&] {
      const float* const all = copies.values();
      float sum = 0;
      MINIAPP_UNROLL
      for (int k = 0; k < ClusterRows::pairs; ++k)
        sum += entry[2 * k] * all[pair[k] & 0xffff] + entry[2 * k + 1] * all[pair[k] >> 16];
      return sum;
    };
    for (int s = 0; s < count; ++s) {
      const float defect = s == 0 && from_zero ? right : right - product();
      direction = steps[s].alpha * factor * defect + steps[s].beta * direction;
      value += direction;
      if (s + 1 < count || residual) copies.exchange(team, is_row ? row : -1, value);
    }
    if (is_row) x[row] = value;
    if (is_row && residual) residual[row] = right - product();
    team.cluster_barrier();  // the others may still send to this team
  }
};

/// The rows of `matrix`, if they suit a ClusterSmoother with that many steps.
inline std::optional<ClusterRows> make_cluster_rows(const linalg::CsrMatrix<double>& matrix, std::size_t steps) {
  const auto rows = static_cast<std::size_t>(matrix.num_rows);
  if (!has_clusters || rows == 0 || rows > ClusterSmoother::most_rows || steps > ClusterSmoother::most_steps ||
      matrix.num_entries() > Index(rows) * ClusterRows::most_entries)
    return {};
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  const auto values = to_host(matrix.values);
  std::vector<std::uint32_t> pairs(ClusterRows::pairs * rows, 0);
  std::vector<float> entries(ClusterRows::most_entries * rows, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (offsets(row + 1) - offsets(row) > ClusterRows::most_entries) return {};
    for (Index e = offsets(row), k = 0; e < offsets(row + 1); ++e, ++k) {
      pairs[(k / 2) * rows + row] |= static_cast<std::uint32_t>(columns(e)) << (k % 2 * 16);
      entries[k * rows + row] = static_cast<float>(values(e));
    }
  }
  return ClusterRows{to_device("solver/amg/columns", pairs), to_device("solver/amg/values", entries), matrix.num_rows};
}

/// x = the result of `steps` from x, or from zero; `residual`: f - A x, unless it is empty.
inline void smooth_in_cluster(const Instance& instance, const ClusterRows& rows, const std::vector<Step<float>>& steps,
                              const Vector<const float>& scale, const Vector<const float>& f, const Vector<float>& x,
                              const Vector<float>& residual, bool from_zero) {
  constexpr int teams = ClusterSmoother::teams_per_cluster;
  ClusterSmoother body{rows.columns.data(), rows.values.data(), rows.rows,
                       (rows.rows + 32 * teams - 1) / (32 * teams) * 32};
  std::copy(steps.begin(), steps.end(), body.steps);
  body.count = static_cast<int>(steps.size());
  body.scale = scale.data();
  body.f = f.data();
  body.x = x.data();
  body.residual = residual.data();
  body.from_zero = from_zero;
  for_teams(instance, "solver/amg/small level", teams, body);
}

#endif

}  // namespace miniapp::solver::amg
