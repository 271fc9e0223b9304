// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"
#include "miniapp/indirect/detail/local_call.hpp"

/// Strategies without blocks. With f the local function of arity a and r an incremented field:
///   r(map(e, s), c) += f_s,c(e)   for all elements e, slots s < a, components c,
/// one element per thread. The strategies differ in how they add: ElementKernel takes this as a parameter, a functor
/// that is given the increments of an element as kept(slot, component).
namespace miniapp::indirect {

/// Loads all components before it stores any, so that a GPU waits once. On a host, components that are not contiguous
/// are faster one by one.
template <class Argument, class Kept>
KOKKOS_FORCEINLINE_FUNCTION void add_plainly(const Argument& argument, const Kept& kept, Index target, int slot) {
  if constexpr (runs_on_host && Argument::layout == Layout::soa) {
    MINIAPP_UNROLL
    for (int c = 0; c < Argument::components; ++c) argument.field(target, c) += Argument::of_kept(kept, slot, c);
  } else {
    typename Argument::Value sum[Argument::components];
    argument.field.load(target, sum);
    MINIAPP_UNROLL
    for (int c = 0; c < Argument::components; ++c) sum[c] += Argument::of_kept(kept, slot, c);
    argument.field.store(target, sum);
  }
}
/// Discards the old values, so that the device uses reductions instead of fetching atomics.
template <class Argument, class Kept>
KOKKOS_FORCEINLINE_FUNCTION void add_atomically(const Argument& argument, const Kept& kept, Index target, int slot) {
  if constexpr (has_one_thread) return add_plainly(argument, kept, target, slot);
  MINIAPP_UNROLL
  for (int c = 0; c < Argument::components; ++c)
    Kokkos::atomic_add(&argument.field(target, c), Argument::of_kept(kept, slot, c));
}

/// Strategy::atomic.
struct AddAtomically {
  template <class Argument, class Kept, int arity>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Argument& argument, const Kept& kept,
                                              const Place<arity>& place) const {
    MINIAPP_UNROLL
    for (int s = 0; s < arity; ++s) add_atomically(argument, kept, place.targets.id[s], s);
  }
};

/// Strategy::atomic on warps, for a Function with  static constexpr int next_slot(int s),  the slot in which the next
/// element often has the target of slot s, or -1. Where it does, a thread leaves its increment of slot s to the next
/// thread, which adds the sum of both: half of the additions of hexahedra that are numbered along lines.
template <class Function>
struct AddMerged {
  Index end;  ///< positions of the launch, from 0 on, by teams of whole warps

  template <class Argument, class Kept, int arity>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Argument& argument, const Kept& kept,
                                              const Place<arity>& place) const {
    static_assert(each_is_taken_once<arity>(), "next_slot() names a slot twice, or one that has a next slot itself");
    const int thread = place.position % 32, left = end - (place.position - thread);
    const int active = left < 32 ? left : 32;
    MINIAPP_UNROLL
    for (int s = 0; s < arity; ++s) {
      if (Function::next_slot(s) >= 0) continue;  // with the slot that it is merged with
      const int before = slot_before<arity>(s);
      if (before < 0) {
        add_atomically(argument, kept, place.targets.id[s], s);
        continue;
      }
      const Index target = place.targets.id[s];
      const bool takes = shuffle_up(place.targets.id[before], active) == target && thread > 0;
      const unsigned takers = ballot(takes, active);
      MINIAPP_UNROLL
      for (int c = 0; c < Argument::components; ++c) {
        typename Argument::Value sum = Argument::of_kept(kept, s, c);
        if (takers) {  // in all threads or none
          const auto taken = shuffle_up(Argument::of_kept(kept, before, c), active);
          if (takes) sum += taken;
        }
        Kokkos::atomic_add(&argument.field(target, c), sum);
      }
      if (!(takers >> thread >> 1 & 1)) add_atomically(argument, kept, place.targets.id[before], before);
    }
  }

 private:
  template <int arity>
  static constexpr KOKKOS_FUNCTION bool each_is_taken_once() {
    bool taken[arity] = {};
    for (int s = 0; s < arity; ++s) {
      const int next = Function::next_slot(s);
      if (next < 0) continue;
      if (next >= arity || taken[next] || Function::next_slot(next) >= 0) return false;
      taken[next] = true;
    }
    return true;
  }
  template <int arity>
  static constexpr KOKKOS_FORCEINLINE_FUNCTION int slot_before(int slot) {
    for (int s = 0; s < arity; ++s)
      if (Function::next_slot(s) == slot) return s;
    return -1;
  }
};

/// Strategy::global: elements of one colour share no target, but an element may refer to a target twice.
struct AddPlainly {
  template <class Argument, class Kept, int arity>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Argument& argument, const Kept& kept,
                                              const Place<arity>& place) const {
    MINIAPP_UNROLL
    for (int s = 0; s < arity; ++s) add_plainly(argument, kept, place.targets.id[s], s);
  }
};

/// First loop of Strategy::staged: an element stores its increments in its own place of a temporary array.
struct StoreStaged {
  template <class Argument, class Kept, int arity>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Argument& argument, const Kept& kept,
                                              const Place<arity>& place) const {
    MINIAPP_UNROLL
    for (int s = 0; s < Argument::slots; ++s) {
      MINIAPP_UNROLL
      for (int c = 0; c < Argument::components; ++c)
        argument.staged(place.position, s * Argument::components + c) = kept(s, c);
    }
  }
};

/// Finds the largest increment of one element, on the host.
struct FindLargest {
  double* most;
  template <class Argument, class Kept, int arity>
  void operator()(const Argument&, const Kept& kept, const Place<arity>&) const {
    for (int s = 0; s < Argument::slots; ++s)
      for (int c = 0; c < Argument::components; ++c) {
        const double value = kept(s, c);
        *most = value > *most ? value : -value > *most ? -value : *most;
      }
  }
};

/// Adds to the targets [begin, end) alone, and finds the largest increment, on the host.
struct AddWithin {
  Index begin, end;
  FindLargest find_largest;
  template <int arity>
  bool holds_one_of(const Ids<arity>& targets) const {
    bool found = false;
    for (const Index id : targets.id) found |= holds(id);
    return found;
  }
  template <class Argument, class Kept, int arity>
  void operator()(const Argument& argument, const Kept& kept, const Place<arity>& place) const {
    for (int s = 0; s < arity; ++s)
      if (holds(place.targets.id[s])) add_plainly(argument, kept, place.targets.id[s], s);
    find_largest(argument, kept, place);
  }
  bool holds(Index id) const { return id >= begin && id < end; }
};

/// Teams per multiprocessor. With five, hydro-stress has 90 registers instead of 106, without spills.
template <class Add>
inline constexpr int teams_of = 4;
template <class Function>
inline constexpr int teams_of<AddMerged<Function>> = 5;

/// Positions [begin, end) of a plan, one per thread.
template <class Call, class Add>
struct ElementKernel {
  static constexpr int threads = 128, teams_at_once = teams_of<Add>;
  static constexpr std::size_t scratch_bytes = 0;
  static constexpr int arity = Call::arity;
  Call call;
  const Ids<arity>* targets;  ///< (position)
  const Index* order;         ///< (position): element; null: as numbered
  Index begin, end;
  Add add;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index first = begin + team.league_rank() * threads;
    const int here = static_cast<int>(end - first < threads ? end - first : threads);
    for (int i = team.team_rank(); i < here; i += team.team_size()) run(first + i);
  }
  KOKKOS_FORCEINLINE_FUNCTION void run(Index position) const {
    const Place<arity> place = this->place(position);
    typename Call::Locals locals;
    call.visit(locals, [&](const auto& argument, auto& local, auto) { argument.load(local, place); });
    call.compute(locals);
    call.visit(locals, [&](const auto& argument, auto& local, auto) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (Argument::role == Role::increments) add(argument, typename Argument::Kept{local}, place);
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION Place<arity> place(Index position) const {
    return {position, order ? order[position] : position, targets[position]};
  }
};

/// Second loop of Strategy::staged, one target per thread: r(t, c) += sum of its places of the temporary array.
template <class Call>
struct GatherStaged {
  static constexpr int threads = 128, teams_at_once = 4;
  static constexpr std::size_t scratch_bytes = 0;
  static constexpr int arity = Call::arity;
  Call call;
  const Index* row_offsets;  ///< (target + 1)
  const Index* row_entries;  ///< position * arity + slot
  Index to_size;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index first = team.league_rank() * threads;
    const int here = static_cast<int>(to_size - first < threads ? to_size - first : threads);
    for (int i = team.team_rank(); i < here; i += team.team_size()) run(first + i);
  }
  KOKKOS_FORCEINLINE_FUNCTION void run(Index target) const {
    call.template visit_role<Role::increments>([&](const auto& argument, auto) {
      using Argument = std::decay_t<decltype(argument)>;
      constexpr int n = Argument::components;
      typename Argument::Value sum[n] = {};
      for (Index q = row_offsets[target]; q < row_offsets[target + 1]; ++q) {
        const Index position = row_entries[q] / arity, slot = row_entries[q] % arity;
        MINIAPP_UNROLL
        for (int c = 0; c < n; ++c)
          sum[c] += Argument::of_kept([&](int s, int k) { return argument.staged(position, s * n + k); }, slot, c);
      }
      MINIAPP_UNROLL
      for (int c = 0; c < n; ++c) argument.field(target, c) += sum[c];
    });
  }
};

}  // namespace miniapp::indirect
