// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"

/// Unrolls the loop that follows on a GPU, where register arrays may only be indexed by constants; hosts do without.
#ifdef MINIAPP_RUNS_ON_HOST
#define MINIAPP_UNROLL_ON_DEVICE
#else
#define MINIAPP_UNROLL_ON_DEVICE MINIAPP_UNROLL
#endif

namespace miniapp {

/// The threads of a team, phase by phase, so that code written for a GPU runs anywhere: a phase is called as
/// phase(thread, state), thread in [0, threads). State holds what a thread keeps from one phase to the next. A GPU runs
/// a phase on all threads at once, State in registers; a host has teams of one thread, which loops over them.
template <class State, int threads>
class TeamThreads {
 public:
  /// Runs phases on the first `used` threads only.
  KOKKOS_FORCEINLINE_FUNCTION explicit TeamThreads(const Team& team, int used = threads) : team_(team), used_(used) {}

  /// When it returns, every thread has run the phase, and may read what the others wrote.
  template <class Phase>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Phase& phase) {
    without_barrier(phase);
    barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {
    if constexpr (!runs_on_host) team_.team_barrier();
  }

  /// For a phase after which no thread reads or overwrites what another one uses.
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
