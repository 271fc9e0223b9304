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
  std::uint32_t now = 1;         ///< the copy that was received last
  std::uint32_t parities = 0;    ///< bit c: of copy c's barrier

  KOKKOS_FORCEINLINE_FUNCTION ClusterVector([[maybe_unused]] const Team& team, void* scratch)
      : first(static_cast<float*>(scratch)) {
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
  /// Sends entry i, unless it is negative, and receives all `entries` into the other copy. For whole warps: the first
  /// of each team, and those with a thread that sends. Others would miss that a copy was received, if two more follow
  /// before they look.
  KOKKOS_FORCEINLINE_FUNCTION void exchange([[maybe_unused]] const Team& team, [[maybe_unused]] int entries,
                                            [[maybe_unused]] int i, [[maybe_unused]] float value) {
    now ^= 1;
#if __CUDA_ARCH__ >= 900
    const std::uint32_t own = barrier + 8 * now;
    if (team.team_rank() == 0)
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(own),
                   "r"(entries * std::uint32_t(sizeof(float)))
                   : "memory");
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
    __syncwarp();
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

/// The rows of a small matrix for ClusterLevel.
struct ClusterRows {
  static constexpr int most_entries = 28, pairs = most_entries / 2;  ///< per row
  Vector<std::uint32_t> columns;                                     ///< (pair, row): two columns of 16 bits
  Vector<float> values;                                              ///< (entry, row), zeros behind a row's last entry
  Index rows = 0;
  double bytes() const { return 4. * double(columns.extent(0) + values.extent(0)); }
};

/// What kernels have that smooth a small level: a cluster of teams with a thread per row, the row's entries in
/// registers and x in a ClusterVector, so that a step neither reads nor writes memory. In single precision, as cycles
/// over orders are.
struct ClusterLevel {
  static constexpr int threads = 1024, teams_at_once = 1, teams_per_cluster = 8;
  static constexpr bool awaits = true;
  static constexpr int most_rows = threads * teams_per_cluster, most_steps = 16;
  using X = ClusterVector<most_rows, teams_per_cluster>;
  static constexpr std::size_t scratch_bytes = X::bytes;

  const std::uint32_t* columns;
  const float* values;
  Index rows;
  Index rows_per_team;  ///< a multiple of 32
  Step<float> steps[most_steps];
  int count;
  const float *scale, *f;
  float* x;

  ClusterLevel(const ClusterRows& matrix, const std::vector<Step<float>>& all, const Vector<const float>& scaling,
               const Vector<const float>& right, const Vector<float>& result)
      : columns(matrix.columns.data()),
        values(matrix.values.data()),
        rows(matrix.rows),
        rows_per_team((matrix.rows + 32 * teams_per_cluster - 1) / (32 * teams_per_cluster) * 32),
        count(static_cast<int>(all.size())),
        scale(scaling.data()),
        f(right.data()),
        x(result.data()) {
    std::copy(all.begin(), all.end(), steps);
  }

  /// The row of a thread.
  struct Row {
    Index row;
    bool is_row;
    float entry[ClusterRows::most_entries];
    std::uint32_t pair[ClusterRows::pairs];
    float right, factor, value = 0, direction = 0;  ///< f, scale, x and d of a Step

    KOKKOS_FORCEINLINE_FUNCTION Row(const ClusterLevel& level, const Team& team)
        : row(team.league_rank() * level.rows_per_team + team.team_rank()),
          is_row(team.team_rank() < level.rows_per_team && row < level.rows) {
      const auto at = [&](int k) { return std::size_t(k) * level.rows + row; };
      MINIAPP_UNROLL
      for (int k = 0; k < ClusterRows::most_entries; ++k) entry[k] = is_row ? level.values[at(k)] : 0;
      MINIAPP_UNROLL
      for (int k = 0; k < ClusterRows::pairs; ++k) pair[k] = is_row ? level.columns[at(k)] : 0;
      factor = is_row ? level.scale[row] : 0;
    }
    /// What kernels before this one have computed.
    KOKKOS_FORCEINLINE_FUNCTION void load_right(const ClusterLevel& level, const Team& team) {
      team.await();
      right = is_row ? level.f[row] : 0;
    }
    /// Whether the thread's warp has a row, or is the first of its team: X::exchange() is for these.
    KOKKOS_FORCEINLINE_FUNCTION bool takes_part(const ClusterLevel& level, const Team& team) const {
      const int lane = team.team_rank() % 32, warp_first = team.team_rank() - lane;
      return warp_first == 0 || (warp_first < level.rows_per_team && row - lane < level.rows);
    }
    /// f - A x.
    KOKKOS_FORCEINLINE_FUNCTION float residual(const float* all) const {
      float sum = 0;
      MINIAPP_UNROLL
      for (int k = 0; k < ClusterRows::pairs; ++k)
        sum += entry[2 * k] * all[pair[k] & 0xffff] + entry[2 * k + 1] * all[pair[k] >> 16];
      return right - sum;
    }
  };

  /// All steps. The vector has x at the start, unless `from_zero`, and at the end if `shares_result`.
  KOKKOS_FORCEINLINE_FUNCTION void smooth(const Team& team, X& vector, Row& own, bool from_zero,
                                          bool shares_result) const {
    for (int s = 0; s < count; ++s) {
      const float defect = s == 0 && from_zero ? own.right : own.residual(vector.values());
      own.direction = steps[s].alpha * own.factor * defect + steps[s].beta * own.direction;
      own.value += own.direction;
      if (s + 1 < count || shares_result) vector.exchange(team, rows, own.is_row ? own.row : -1, own.value);
    }
  }
};

/// All steps of a smoother in one kernel.
struct ClusterSmoother : ClusterLevel {
  float* residual;  ///< f - A x in the end; null: not wanted
  bool from_zero;   ///< x is zero at the start

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Row own(*this, team);
    X vector(team, team.scratch());
    own.load_right(*this, team);
    if (!from_zero) {
      if (own.is_row) own.value = x[own.row];
      for (Index i = team.team_rank(); i < rows; i += threads) vector.values()[i] = x[i];
    }
    team.cluster_barrier();  // all have read x and can receive
    if (own.takes_part(*this, team)) smooth(team, vector, own, from_zero, residual != nullptr);
    if (own.is_row) {
      x[own.row] = own.value;
      if (residual) residual[own.row] = own.residual(vector.values());
    }
    team.cluster_barrier();  // the others may still send to this team
  }
};

/// The rows of `matrix`, if they suit a ClusterLevel with that many steps.
inline std::optional<ClusterRows> make_cluster_rows(const linalg::CsrMatrix<double>& matrix, std::size_t steps) {
  const auto rows = static_cast<std::size_t>(matrix.num_rows);
  if (!has_clusters || rows == 0 || rows > ClusterLevel::most_rows || steps > ClusterLevel::most_steps ||
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
  for_teams(instance, "solver/amg/small level", ClusterLevel::teams_per_cluster,
            ClusterSmoother{{rows, steps, scale, f, x}, residual.data(), from_zero});
}

#endif

}  // namespace miniapp::solver::amg
