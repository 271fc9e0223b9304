// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "miniapp/solver/detail/device_cg.hpp"

/// What follows the product in an iteration of fused_cg(): as two loops over the entries, or on a GPU as one kernel.
namespace miniapp::solver {

/// Words per entry that UpdateResidual reads and writes on average where the host checks after so many iterations.
constexpr double update_words(int check_every) { return check_every > 1 ? 4.5 : 6; }

namespace detail {

/// What dx takes in an iteration. Every second one leaves its step to the next, so that dx is read and written half as
/// often: that one finds the direction before its own as (p - z) / beta.
enum class DxSteps {
  own,   ///< alpha p
  none,  ///< the next iteration takes the step, or UpdateDirection
  both,  ///< alpha p, and the step that the iteration before left
};

/// dx += its steps, r -= alpha q, q = 0 where the operator needs that, alpha = r_z / p_q. Once r . r <= limit, dx and r
/// no longer change, whatever p and q hold, until the host notices the end. Sums: r . r and r . z of the new r. Words
/// per entry: 6, without steps 3; 1 more where q is set to zero. Unless it `defers` steps, it takes its own without a
/// branch, which would keep hosts from vector registers.
template <class Real, PointwisePreconditioner<Real> M, bool defers = !runs_on_host>
struct UpdateResidual {
  static constexpr int waves = 8;
  const double *before, *now, *limit;  ///< scalars of the iteration before (read for `both`) and of this one
  DxSteps steps;
  M m;
  const Real* p;
  Real *dx, *r, *q;
  bool zero_q, moves;
  Real alpha, left;  ///< dx += alpha p + left (p - z)
  struct OwnStep {
    Real dx, r;
  };
  struct AnySteps {
    Real dx, r, p;
  };
  using Entry = std::conditional_t<defers, AnySteps, OwnStep>;
  KOKKOS_FUNCTION UpdateResidual prepared() const { return prepared({now[0], now[1], now[2]}); }
  KOKKOS_FUNCTION UpdateResidual prepared(const CgScalars& s) const {
    UpdateResidual body = *this;
    body.moves = s.r_r > *limit;
    body.alpha = static_cast<Real>(s.r_z / s.p_q);
    body.left = 0;
    if (!defers || steps != DxSteps::both) return body;
    const CgScalars old{before[0], before[1], before[2]};
    if (old.r_r > *limit && !is_taken_at_once(old, s, *limit))
      body.left = static_cast<Real>(old.r_z / old.p_q * (old.r_z / s.r_z));
    return body;
  }
  KOKKOS_FUNCTION Entry load(std::size_t i) const {
    if constexpr (defers) {
      return steps == DxSteps::none ? Entry{0, next(i, r[i]), 0} : load_all(i);
    } else {
      const Entry old{dx[i], r[i]}, moved{old.dx + alpha * p[i], old.r - alpha * q[i]};
      return moves ? moved : old;
    }
  }
  /// With p, whether dx takes a step or not.
  KOKKOS_FUNCTION Entry load_all(std::size_t i) const {
    const Real old = steps == DxSteps::none ? Real(0) : read_past_cache(dx + i), residual = r[i], direction = p[i];
    const Real moved = old + (alpha * direction + left * (direction - m.at(i, residual)));
    return {moves ? moved : old, next(i, residual), direction};
  }
  KOKKOS_FUNCTION Real next(std::size_t i, Real residual) const {
    const Real moved = residual - alpha * q[i];
    return moves ? moved : residual;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    if (!defers || steps != DxSteps::none) write_past_cache(dx + i, entry.dx);
    r[i] = entry.r;
    if (zero_q) q[i] = 0;
    add(0, double(entry.r) * double(entry.r));
    add(1, double(entry.r) * double(m.at(i, entry.r)));
  }
};

#if defined(KOKKOS_ENABLE_CUDA)

/// Where the sum of terms is p . q.
struct EnergyTerms {
  double* terms;
  int count;
  bool are_reset;  ///< to zero for the next product, once they have been added up
};

/// Both loops in one kernel whose teams all run at once: r and p stay in registers over the barrier between the sums
/// and the direction, which costs less than a launch where entries are few.
template <class Real, class M>
struct ResidentUpdate {
  static constexpr int threads = 512, teams_at_once = 1, entries_per_thread = 4;
  static constexpr bool is_resident = true;
  static constexpr std::size_t scratch_bytes = threads / 4;
  EnergyTerms energy;
  UpdateResidual<Real, M> update;
  UpdateDirection<Real, M> direction;
  double *now, *next;            ///< scalars of this iteration and of the next
  Instance::SumScratch scratch;  ///< (team, sum), and teams that have arrived
  std::size_t n;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    CgScalars s{now[0], now[1], 0};
    for (int t = team.team_rank(); t < energy.count; t += threads) s.p_q += energy.terms[t];
    team.total(s.p_q);
    const UpdateResidual<Real, M> step = update.prepared(s);
    const std::size_t stride = std::size_t(team.league_size()) * threads,
                      first = std::size_t(team.league_rank()) * threads + team.team_rank();
    typename UpdateResidual<Real, M>::Entry values[entries_per_thread];
    MINIAPP_UNROLL
    for (int e = 0; e < entries_per_thread; ++e) {
      const std::size_t i = first + e * stride;
      if (i < n) values[e] = step.load_all(i);
    }
    double sum[2] = {};
    MINIAPP_UNROLL
    for (int e = 0; e < entries_per_thread; ++e) {
      const std::size_t i = first + e * stride;
      if (i < n) step.finish(i, values[e], [&](int which, double term) { sum[which] += term; });
    }
    sum_over_league(team, sum);
    const CgScalars after{sum[0], sum[1], 0};
    if (team.league_rank() == 0) store(team, s, after);
    const UpdateDirection<Real, M> turn = direction.prepared(s, after);
    MINIAPP_UNROLL
    for (int e = 0; e < entries_per_thread; ++e) {
      const std::size_t i = first + e * stride;
      if (i < n) turn.finish(i, turn.next(i, values[e].r, values[e].p), 0);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void sum_over_league(const Team& team, double (&sum)[2]) const {
    for (double& value : sum) team.total(value);
    if (team.team_rank() == 0)
      for (int which = 0; which < 2; ++which) scratch.partial[2 * team.league_rank() + which] = sum[which];
    team.league_barrier(scratch.finished);
    for (double& value : sum) value = 0;
    const volatile double* const all = scratch.partial;
    for (int t = team.team_rank(); t < team.league_size(); t += threads)
      for (int which = 0; which < 2; ++which) sum[which] += all[2 * t + which];
    for (double& value : sum) team.total(value);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(const Team& team, const CgScalars& s, const CgScalars& after) const {
    if (energy.are_reset)
      for (int t = team.team_rank(); t < energy.count; t += threads) energy.terms[t] = 0;
    if (team.team_rank() > 0) return;
    now[2] = s.p_q;
    next[0] = after.r_r;
    next[1] = after.r_z;
  }
};

/// Whether all entries fit into the registers of teams that run at once.
template <class Real, class M>
bool fits_resident_update(std::size_t entries) {
  using Teams = ResidentUpdate<Real, M>;
  return entries > 0 && entries <= std::size_t(resident_teams<Teams>()) * Teams::threads * Teams::entries_per_thread;
}

/// q = A p, and the rest of the iteration.
template <class Real, class Operator, class M>
void run_resident_update(const Instance& instance, const Operator& A, const DeviceCgWorkspace<Real>& work,
                         const UpdateResidual<Real, M>& update, const UpdateDirection<Real, M>& direction, double* now,
                         double* next) {
  using Teams = ResidentUpdate<Real, M>;
  const std::size_t n = work.r.extent(0);
  const int teams = std::min(resident_teams<Teams>(), static_cast<int>((n + Teams::threads - 1) / Teams::threads));
  EnergyTerms energy{now + 2, 1, false};
  if (const auto terms = linalg::add_with_energy_terms<Real>(instance, A, work.p, work.q); terms.extent(0) > 0)
    energy = {terms.data(), static_cast<int>(terms.extent(0)), true};
  else
    linalg::apply_to_zero<Real>(instance, A, work.p, work.q, now + 2);
  for_teams(instance, "solver/cg/update and direction", teams,
            Teams{energy, update, direction, now, next, instance.sum_scratch(2 * std::size_t(teams)), n});
}

#endif

}  // namespace detail
}  // namespace miniapp::solver
