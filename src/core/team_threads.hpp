// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"

/// Unrolls the following loop on a GPU, where arrays stay in registers only if all indices are compile-time constants;
/// has no effect on hosts.
#ifdef MINIAPP_RUNS_ON_HOST
#define MINIAPP_UNROLL_ON_DEVICE
#else
#define MINIAPP_UNROLL_ON_DEVICE MINIAPP_UNROLL
#endif

namespace miniapp {

/// Runs a team's work in phases, so that code written for a GPU runs anywhere. A phase is called as phase(thread,
/// state), thread in [0, threads); state holds what a thread keeps between phases. A GPU runs a phase on all threads at
/// once, with state in registers; a host has teams of one thread, which loops over the threads of the GPU team.
template <class State, int threads>
class TeamThreads {
 public:
  /// Runs phases on the first `used` threads only.
  KOKKOS_FORCEINLINE_FUNCTION explicit TeamThreads(const Team& team, int used = threads) : team_(team), used_(used) {}

  /// On return every thread has run the phase and may read what the others wrote.
  template <class Phase>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Phase& phase) {
    without_barrier(phase);
    barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {
    if constexpr (!runs_on_host) team_.team_barrier();
  }

  /// For a phase after which no thread reads or overwrites data of another thread.
  template <class Phase>
  KOKKOS_FORCEINLINE_FUNCTION void without_barrier(const Phase& phase) {
    if constexpr (runs_on_host) {
      for (int thread = 0; thread < used_; ++thread) phase(thread, states_[thread]);
    } else {
      if (team_.team_rank() < used_) phase(team_.team_rank(), states_[0]);
    }
  }

 private:
  const Team& team_;
  const int used_;
  State states_[runs_on_host ? threads : 1];
};

}  // namespace miniapp
