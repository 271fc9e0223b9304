// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"

/// Loops over the entries of vectors. A body says in two functions what it reads and what it does, so that a thread of
/// a GPU asks for several entries before it waits for the first:
///   auto load(std::size_t i) const                     what entry i needs, in registers
///   void finish(std::size_t i, value, add) const       stores; add(s, number) adds to sum s
///   Body prepared() const                              where it has one: itself with what all entries share read
namespace miniapp::streaming {

/// Numbers that one loop adds up.
template <int count>
struct Sums {
  double value[count] = {};
  KOKKOS_INLINE_FUNCTION void operator+=(const Sums& other) {
    for (int s = 0; s < count; ++s) value[s] += other.value[s];
  }
  KOKKOS_INLINE_FUNCTION void operator+=(const volatile Sums& other) volatile {  // of Kokkos 3
    for (int s = 0; s < count; ++s) value[s] = value[s] + other.value[s];
  }
};

namespace detail {

inline constexpr int entries_a_thread = 4, team_threads = 256;  // of a GPU
inline constexpr int block = 1024;                              // entries that a host's work item handles
inline constexpr int partial_sums =
    32;  // that the host's vector units carry: one sum is a chain of dependent additions

/// Room on the device for a result, for `size` partial ones, and a counter that is zero between loops. One for all
/// loops, which run one after another; grows as needed, freed when Kokkos ends.
struct ReductionScratch {
  double *result, *partial;
  unsigned* finished;
};
ReductionScratch reduction_scratch(std::size_t size);

template <class Body>
KOKKOS_FORCEINLINE_FUNCTION Body prepare(const Body& body) {
  if constexpr (requires { body.prepared(); })
    return body.prepared();
  else
    return body;
}

/// A host's work item: a block of entries.
template <class Body>
struct Block {
  Body body_;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(const int b) const {
    const std::size_t begin = std::size_t(b) * block, end = begin + block < n ? begin + block : n;
    const Body body = prepare(body_);
    const auto nothing = [](int, double) {};
    MINIAPP_INDEPENDENT
    for (std::size_t i = begin; i < end; ++i) body.finish(i, body.load(i), nothing);
  }
};

/// A host's work item: a block of entries, whose sums start in as many places as a vector register has.
template <int count, class Body>
struct SumBlock {
  using value_type = Sums<count>;
  Body body_;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(const int b, Sums<count>& total) const {
    const std::size_t begin = std::size_t(b) * block, end = begin + block < n ? begin + block : n;
    const Body body = prepare(body_);
    double part[count][partial_sums] = {};
    std::size_t i = begin;
    for (; i + partial_sums <= end; i += partial_sums) {
      MINIAPP_INDEPENDENT
      for (int lane = 0; lane < partial_sums; ++lane)
        body.finish(i + lane, body.load(i + lane), [&](int s, double x) { part[s][lane] += x; });
    }
    for (; i < end; ++i) body.finish(i, body.load(i), [&](int s, double x) { part[s][0] += x; });
    for (int s = 0; s < count; ++s)
      for (int lane = 0; lane < partial_sums; ++lane) total.value[s] += part[s][lane];
  }
};

/// A GPU's team: its entries; the last team to finish adds up the partial sums of all, always in the same order.
template <int count, class Body>
struct SumTeam {
  static constexpr int threads = team_threads, teams_at_once = 2048 / team_threads / 2;
  static constexpr std::size_t scratch_bytes = team_threads / 4;
  Body body_;
  std::size_t n;
  double *partial, *result;
  unsigned* finished;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * (team_threads * entries_a_thread) + team.team_rank();
    const Body body = prepare(body_);
    double sum[count > 0 ? count : 1] = {};
    const auto add = [&](int s, double x) { sum[s] += x; };
    if (first + (entries_a_thread - 1) * team_threads < n) {
      decltype(body.load(0)) values[entries_a_thread];
      MINIAPP_UNROLL
      for (int e = 0; e < entries_a_thread; ++e) values[e] = body.load(first + e * team_threads);
      MINIAPP_UNROLL
      for (int e = 0; e < entries_a_thread; ++e) body.finish(first + e * team_threads, values[e], add);
    } else {
      for (std::size_t i = first; i < n; i += team_threads) body.finish(i, body.load(i), add);
    }
    if constexpr (count > 0) collect(team, sum);
  }

  KOKKOS_FORCEINLINE_FUNCTION void collect(const Team& team, double (&sum)[count > 0 ? count : 1]) const {
    for (int s = 0; s < count; ++s) team.total(sum[s]);
    bool last = false;
    if (team.team_rank() == 0) {
      for (int s = 0; s < count; ++s) partial[team.league_rank() * count + s] = sum[s];
      Kokkos::memory_fence();
      last = Kokkos::atomic_fetch_add(finished, 1u) + 1 == unsigned(team.league_size());
      Kokkos::memory_fence();
    }
    if (!team.any(last)) return;
    for (int s = 0; s < count; ++s) sum[s] = 0;
    const volatile double* const all = partial;
    for (int t = team.team_rank(); t < team.league_size(); t += team_threads)
      for (int s = 0; s < count; ++s) sum[s] += all[t * count + s];
    for (int s = 0; s < count; ++s) team.total(sum[s]);
    if (team.team_rank() > 0) return;
    for (int s = 0; s < count; ++s) result[s] = sum[s];
    *finished = 0;
  }
};

inline int teams_for(std::size_t n) {
  constexpr std::size_t entries = team_threads * entries_a_thread;
  return static_cast<int>((n + entries - 1) / entries);
}

}  // namespace detail

/// Calls body.finish(i, body.load(i), add) for 0 <= i < n; what it added comes to result[0 .. count), on the device and
/// without waiting. The order of additions is the same in every run on one configuration.
template <int count, class Body>
void sum_entries(const char* label, std::size_t n, const Body& body, double* result) {
  if constexpr (runs_on_host) {
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<ExecutionSpace>(0, (n + detail::block - 1) / detail::block),
                            detail::SumBlock<count, Body>{body, n},
                            Kokkos::View<Sums<count>, MemorySpace>(reinterpret_cast<Sums<count>*>(result)));
  } else {
    const int teams = n > 0 ? detail::teams_for(n) : 1;  // one to say that the sum is zero
    const detail::ReductionScratch scratch = detail::reduction_scratch(std::size_t(teams) * count);
    for_teams(label, teams, detail::SumTeam<count, Body>{body, n, scratch.partial, result, scratch.finished});
  }
}

/// The same without sums.
template <class Body>
void for_entries(const char* label, std::size_t n, const Body& body) {
  if constexpr (runs_on_host)
    Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(0, (n + detail::block - 1) / detail::block),
                         detail::Block<Body>{body, n});
  else
    for_teams(label, detail::teams_for(n), detail::SumTeam<0, Body>{body, n, nullptr, nullptr, nullptr});
}

/// The same, waiting for one sum.
template <class Body>
double sum_entries(const char* label, std::size_t n, const Body& body) {
  double* const result = detail::reduction_scratch(1).result;
  sum_entries<1>(label, n, body, result);
  double sum = 0;
  Kokkos::deep_copy(sum, Kokkos::View<const double, MemorySpace>(result));
  return sum;
}

}  // namespace miniapp::streaming
