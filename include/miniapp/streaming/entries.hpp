// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "miniapp/core/map.hpp"
#include "miniapp/core/teams.hpp"

/// Loops over the entries of vectors. A body defines in two functions what it reads and what it computes, so that a GPU
/// thread loads several entries before it waits for the first:
///   auto load(std::size_t i) const                     loads what entry i needs
///   void finish(std::size_t i, value, add) const       stores; add(s, number) adds to sum s
///   static constexpr int entries_per_thread              optional: per thread, loaded together, in loops without sums
///   static constexpr int waves                         optional: how often teams of a loop with sums may fill
///                                                      the device, 1; loops that store run more smoothly with 8
///   static constexpr bool one_entry_per_thread         optional, in loops with sums: an entry has loads enough of its
///                                                      own, and more threads hide their latency
///   Body prepared() const                              optional: a copy that has loaded what all entries share
///   void complete(double* result, const double* sums) const
///                                                      optional, in loops with sums of GPUs: one thread stores them
namespace miniapp::streaming {

/// Entries begin .. end - 1.
struct EntryRange {
  Index begin, end;
};

namespace detail {

inline constexpr int block = 1024;       // entries per work item on a host
inline constexpr int most_sums = 8;      // of a loop on a host
inline constexpr int partial_sums = 32;  // independent sums on a host: a single one would be a chain of additions

template <class Body>
KOKKOS_FORCEINLINE_FUNCTION Body prepare(const Body& body) {
  if constexpr (requires { body.prepared(); })
    return body.prepared();
  else
    return body;
}

/// Calls run(body, begin, end) for all blocks of n entries on a host: one kernel of Kokkos for all bodies, since each
/// costs the compiler more than a body.
void for_blocks(const Instance& instance, const char* label, std::size_t n, const void* body,
                void (*run)(const void* body, std::size_t begin, std::size_t end));
/// Calls run(body, begin, end, total) for all blocks of n entries on a host; *result becomes the sums of all totals.
template <int count>
void sum_blocks(const Instance& instance, const char* label, std::size_t n, const void* body,
                void (*run)(const void* body, std::size_t begin, std::size_t end, double* total), double* result);

/// A block of entries on a host.
template <class Body>
void run_block(const void* unprepared, std::size_t begin, std::size_t end) {
  const Body body = prepare(*static_cast<const Body*>(unprepared));
  const auto nothing = [](int, double) {};
  MINIAPP_INDEPENDENT
  for (std::size_t i = begin; i < end; ++i) body.finish(i, body.load(i), nothing);
}

/// Partial sums for the lanes of vector registers, on a host.
template <int count>
struct LaneSums {
  double part[count][partial_sums] = {};
  template <class Body>
  [[gnu::always_inline]] void visit(const Body& body, std::size_t begin, std::size_t end) {
    std::size_t i = begin;
    for (; i + partial_sums <= end; i += partial_sums) {
      MINIAPP_INDEPENDENT
      for (int lane = 0; lane < partial_sums; ++lane)
        body.finish(i + lane, body.load(i + lane), [&](int s, double x) { part[s][lane] += x; });
    }
    for (; i < end; ++i) body.finish(i, body.load(i), [&](int s, double x) { part[s][0] += x; });
  }
  void add_to(double* total) const {
    for (int s = 0; s < count; ++s) {
      double sum = 0;
      for (int lane = 0; lane < partial_sums; ++lane) sum += part[s][lane];
      total[s] += sum;
    }
  }
};

/// A block of entries on a host.
template <int count, class Body>
void sum_block(const void* unprepared, std::size_t begin, std::size_t end, double* total) {
  const Body body = prepare(*static_cast<const Body*>(unprepared));
  LaneSums<count> sums;
  sums.visit(body, begin, end);
  sums.add_to(total);
}
/// Ranges of entries, moved by `shift`, on a host.
template <int count, class Body>
void sum_ranges(const void* unprepared, std::span<const EntryRange> ranges, std::size_t shift, double* total) {
  if constexpr (count == 0) {
    for (const EntryRange& range : ranges) run_block<Body>(unprepared, shift + range.begin, shift + range.end);
  } else {
    const Body body = prepare(*static_cast<const Body*>(unprepared));
    LaneSums<count> sums;
    for (const EntryRange& range : ranges) sums.visit(body, shift + range.begin, shift + range.end);
    sums.add_to(total);
  }
}

/// A GPU thread: entries first, first + stride, .. below n, at most `count`. It loads all of them before it waits for
/// the first.
template <int count, int stride, class Body, class Add>
KOKKOS_FORCEINLINE_FUNCTION void visit_strided(const Body& body, std::size_t first, std::size_t n, const Add& add) {
  if (first + (count - 1) * stride < n) {
    decltype(body.load(0)) values[count];
    MINIAPP_UNROLL
    for (int e = 0; e < count; ++e) values[e] = body.load(first + e * stride);
    MINIAPP_UNROLL
    for (int e = 0; e < count; ++e) body.finish(first + e * stride, values[e], add);
  } else {
    for (std::size_t i = first; i < n; i += stride) body.finish(i, body.load(i), add);
  }
}

/// A GPU team without sums.
template <class Body>
struct EntryTeam {
  static constexpr int threads = 256, teams_at_once = 8;
  static constexpr int entries_per_thread = [] {
    if constexpr (requires { Body::entries_per_thread; }) return Body::entries_per_thread;
    return 2;
  }();
  static constexpr int chunk = threads * entries_per_thread;
  static constexpr std::size_t scratch_bytes = 0;
  Body unprepared;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * chunk + team.team_rank();
    const Body body = prepare(unprepared);
    visit_strided<entries_per_thread, threads>(body, first, n, [](int, double) {});
  }
};

/// A GPU team with sums: a bounded number of teams goes through the entries in chunks, since every team has to signal
/// that it is done, which takes microseconds; the last team adds up all sums, always in the same order.
template <int count, class Body>
struct SumTeam {
  static constexpr bool is_light = requires { Body::one_entry_per_thread; };
  static constexpr int threads = is_light ? 256 : 512, teams_at_once = is_light ? 6 : 2,
                       entries_per_thread = is_light ? 1 : 4, chunk = threads * entries_per_thread,
                       least_chunks = is_light ? 8 : 2;  // per team, before there are more teams than fill the device
  static constexpr int waves = [] {
    if constexpr (requires { Body::waves; }) return Body::waves;
    return 1;
  }();
  static constexpr std::size_t scratch_bytes = threads / 4;
  Body unprepared;
  std::size_t n;
  double *partial, *result;
  unsigned* finished;
  bool for_host;  ///< the host polls the result

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Body body = prepare(unprepared);
    double sum[count] = {};
    const auto add = [&](int s, double x) { sum[s] += x; };
    const std::size_t step = std::size_t(team.league_size()) * chunk;
    if (n <= std::size_t(team.league_size()) * threads)  // one entry per thread: the fewer, the sooner done
      visit_strided<1, threads>(body, std::size_t(team.league_rank()) * threads + team.team_rank(), n, add);
    else
      for (std::size_t begin = std::size_t(team.league_rank()) * chunk; begin < n; begin += step)
        visit_strided<entries_per_thread, threads>(body, begin + team.team_rank(), n, add);
    collect(team, sum);
  }

  KOKKOS_FORCEINLINE_FUNCTION void collect(const Team& team, double (&sum)[count]) const {
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
    for (int t = team.team_rank(); t < team.league_size(); t += threads)
      for (int s = 0; s < count; ++s) sum[s] += all[t * count + s];
    for (int s = 0; s < count; ++s) team.total(sum[s]);
    if (team.team_rank() > 0) return;
    *finished = 0;
    if constexpr (requires { unprepared.complete(result, sum); }) {
      unprepared.complete(result, sum);
    } else {
      for (int s = 0; s < count; ++s)
        if (for_host)
          Mailbox::put(result + s, sum[s]);
        else
          result[s] = sum[s];
    }
  }
};

/// Number of teams for n entries.
template <class Teams>
int teams_for(std::size_t n) {
  return static_cast<int>((n + Teams::chunk - 1) / Teams::chunk);
}

/// Number of teams for n entries with sums: as many as fill the device once; up to Teams::waves times, with
/// Teams::least_chunks each, if the body defines waves; where one entry per thread does not fill it, as many as that
/// takes. One team for no entries, to store a zero sum.
template <class Teams>
int sum_teams(std::size_t n) {
  static const int wave = std::max(1, ExecutionSpace().concurrency() / Teams::threads);
  if (n <= std::size_t(wave) * Teams::threads)
    return std::max(1, static_cast<int>((n + Teams::threads - 1) / Teams::threads));
  const int chunks = teams_for<Teams>(n), most = std::clamp(chunks / Teams::least_chunks, wave, Teams::waves * wave);
  return std::clamp(chunks, 1, most);
}

/// Sums on a GPU.
template <int count, class Body>
void sum_by_teams(const Instance& instance, const char* label, std::size_t n, const Body& body, double* result,
                  bool for_host) {
  using Teams = SumTeam<count, Body>;
  const int teams = sum_teams<Teams>(n);
  const Instance::SumScratch scratch = instance.sum_scratch(std::size_t(teams) * count);
  for_teams(instance, label, teams, Teams{body, n, scratch.partial, result, scratch.finished, for_host});
}

}  // namespace detail

/// A loop over entries on a host that others run, some ranges at a time. The body must outlive it.
struct RangeLoop {
  const void* body;
  void (*run)(const void* body, std::span<const EntryRange> ranges, std::size_t shift, double* sums);
  int first_sum;

  /// Adds the sums over entries shift + begin .. shift + end - 1 of all ranges to sums[first_sum], ..
  void operator()(std::span<const EntryRange> ranges, std::size_t shift, double* sums) const {
    run(body, ranges, shift, sums + first_sum);
  }
};
template <int count, class Body>
RangeLoop make_range_loop(const Body& body, int first_sum) {
  return {&body, detail::sum_ranges<count, Body>, first_sum};
}

/// Calls body.finish(i, body.load(i), add) for 0 <= i < n; the sums are stored to result[0 .. count) on the device,
/// without waiting. The order of additions is the same in every run of one configuration.
template <int count, class Body>
void sum_entries(const Instance& instance, const char* label, std::size_t n, const Body& body, double* result) {
  if constexpr (runs_on_host) {
    static_assert(count <= detail::most_sums);
    detail::sum_blocks<count>(instance, label, n, &body, detail::sum_block<count, Body>, result);
  } else {
    detail::sum_by_teams<count>(instance, label, n, body, result, false);
  }
}

/// Runs a body without sums.
template <class Body>
void for_entries(const Instance& instance, const char* label, std::size_t n, const Body& body) {
  if constexpr (runs_on_host)
    detail::for_blocks(instance, label, n, &body, detail::run_block<Body>);
  else
    for_teams(instance, label, detail::teams_for<detail::EntryTeam<Body>>(n), detail::EntryTeam<Body>{body, n});
}

/// Runs a body over the entries, waits, and returns its sums, up to Mailbox::most.
template <int count, class Body>
std::array<double, count> sum_entries(const Instance& instance, const char* label, std::size_t n, const Body& body) {
  static_assert(count <= Mailbox::most);
  static_assert(
      !requires(double* sums) { body.complete(sums, sums); }, "sums that the host waits for go to a mailbox");
  Mailbox& mailbox = instance.mailbox();
  if constexpr (runs_on_host)
    sum_entries<count>(instance, label, n, body, mailbox.expect());
  else
    detail::sum_by_teams<count>(instance, label, n, body, mailbox.expect(), true);
  std::array<double, count> sums;
  for (int i = 0; i < count; ++i) sums[i] = mailbox.take(instance.space(), i);
  return sums;
}

/// One sum.
template <class Body>
double sum_entries(const Instance& instance, const char* label, std::size_t n, const Body& body) {
  return sum_entries<1>(instance, label, n, body)[0];
}

}  // namespace miniapp::streaming
