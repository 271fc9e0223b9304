// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/indirect/detail/element_kernel.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#endif

/// Elements on a host, processed together in the lanes of vector registers:
///   values (component, lane) <- rows of fields;   f in all lanes;   rows <- values;   add rows, element by element.
/// Rows are added some groups of lanes later, and then lane by lane: consecutive elements share targets, and an
/// addition to a target would wait for the one just before it to be stored. Rows (component 0, 1, ... of an entity) are
/// loaded as a whole and transposed in registers, since gather instructions cost one load per number. The local
/// function remains scalar: the compiler vectorises the loop over lanes.
namespace miniapp::indirect {

#ifdef MINIAPP_RUNS_ON_HOST

/// Whether rows of n values are transposed in registers.
template <class T, int n, Layout layout>
inline constexpr bool transposes = layout == Layout::aos&& n > 1 &&
                                   miniapp::detail::registers_for<n, T>() <= lane_width<T>;

/// rows[c] lane l = component c of entity(l).
template <class T, int n, Layout layout, class Entity>
[[gnu::always_inline]] inline void load_lanes(const FieldPointer<const T, n, layout>& field, const Entity& entity,
                                              Lanes<T> (&rows)[n]) {
  if constexpr (transposes<T, n, layout>) {
    std::size_t starts[lane_width<T>];
    MINIAPP_UNROLL
    for (int l = 0; l < lane_width<T>; ++l) starts[l] = std::size_t(entity(l)) * n;
    load_rows<n>(field.values, starts, rows);
  } else {
    MINIAPP_UNROLL
    for (int c = 0; c < n; ++c) {
      const T* const column = &field(0, c);
      rows[c] = [&]<int... l>(std::integer_sequence<int, l...>) {
        return Lanes<T>{column[std::size_t(entity(l)) * (layout == Layout::aos ? n : 1)]...};
      }
      (std::make_integer_sequence<int, lane_width<T>>());
    }
  }
}

/// Writes registers as numbers (component, lane), one by one: as bytes of the whole array they would be written in
/// halves, and the processor would wait until it can read them as a whole.
template <class T, int n>
[[gnu::always_inline]] inline void store_lanes(const Lanes<T> (&rows)[n], T (*values)[lane_width<T>]) {
  MINIAPP_UNROLL
  for (int c = 0; c < n; ++c) std::memcpy(values[c], &rows[c], sizeof(rows[c]));
}

/// The inverse of load_lanes(): (l, c) is component c of lane l. Rows are kept as registers, for the same reason.
template <class T, int n, Layout layout>
struct LaneRows {
  static constexpr int width = lane_width<T>;
  static constexpr int size = transposes<T, n, layout> ? miniapp::detail::registers_for<n, T>() : n;
  Lanes<T> rows[size];

  [[gnu::always_inline]] void store(const T (*values)[width]) {
    Lanes<T> block[size];
    MINIAPP_UNROLL
    for (int i = 0; i < size; ++i) std::memcpy(&block[i], values[i < n ? i : n - 1], sizeof(block[i]));
    if constexpr (transposes<T, n, layout>) miniapp::detail::transpose<1, width>(block);
    MINIAPP_UNROLL
    for (int i = 0; i < size; ++i) rows[i] = block[i];
  }
  [[gnu::always_inline]] T operator()(int l, int c) const {
    return transposes<T, n, layout> ? rows[l % size][l / size * size + c] : rows[c][l];
  }
};

/// The increments of `groups` groups of lanes: value (group, slot). Nothing of arguments that are read.
template <class Argument, int groups, Role role = Argument::role>
struct LaneIncrements {
  struct {
  } value;
  static constexpr int bytes = 0;
};
template <class Argument, int groups>
struct LaneIncrements<Argument, groups, Role::increments> {
  LaneRows<typename Argument::Value, Argument::components, Argument::layout> value[groups][Argument::slots];
  static constexpr int bytes = sizeof(value);
};

template <class Call, class Add>
struct LaneKernel;
template <class Function, int arity, class... Arguments, class Add>
struct LaneKernel<LocalCall<Function, arity, Arguments...>, Add>
    : ElementKernel<LocalCall<Function, arity, Arguments...>, Add> {
  static constexpr int threads = 1024;  ///< positions of a team, which is one thread
  using Call = LocalCall<Function, arity, Arguments...>;
  using Value = typename std::tuple_element_t<0, std::tuple<Arguments...>>::Value;
  static constexpr int width = lane_width<Value>;
  /// Loops that read nothing through maps only move data, which lanes would move twice. Where the values of an element
  /// do not fit 32 registers, lanes lose more than they gain: cache misses of the next elements no longer overlap
  /// arithmetic.
  static constexpr bool pays =
      (std::is_same_v<typename Arguments::Value, Value> && ...) &&
      ((Arguments::role == Role::reads_target || Arguments::role == Role::reads_other_map) || ...) &&
      ((Arguments::slots * Arguments::components) + ...) <= 32;
  /// Groups whose increments are kept: 8 KiB of them, a quarter of a cache of the first level. Elements with two
  /// targets gain nothing from more than 2 KiB: consecutive ones share one at most.
  static constexpr int kept_groups =
      std::clamp((Call::arity <= 2 ? 2048 : 8192) / (LaneIncrements<Arguments, 1>::bytes + ... + 1), 1, 32);
  using Kept = Pack<LaneIncrements<Arguments, kept_groups>...>;
  template <class Argument>
  struct LaneValues {
    static constexpr int count = Argument::slots * Argument::components;
    alignas(register_bytes) Value value[count][width];
  };

  void operator()(const Team& team) const {
    const Index first = this->begin + team.league_rank() * threads;
    run_range(first, this->end - first < threads ? this->end : first + threads);
  }
  void run_range(Index first, Index last) const {
    if constexpr (pays)
      while (first + width <= last) {
        const int groups = std::min(int(last - first) / width, kept_groups);
        run_groups(first, groups);
        first += groups * width;
      }
    for (; first < last; ++first) this->run(first);
  }

 private:
  void run_groups(Index first, int groups) const {
    Kept kept;
    for (int g = 0; g < groups; ++g) run_lanes(first + g * width, kept, g);
    this->call.visit(kept, [&](const auto& argument, const auto& rows, auto) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (Argument::role == Role::increments)
        for (int l = 0; l < width; ++l)
          for (int g = 0; g < groups; ++g)
            this->add(
                argument, [&](int s, int c) { return rows[g][s](l, c); }, this->place(first + g * width + l));
    });
  }
  /// Runs positions first, first + 1, ... in lanes 0, 1, ... and keeps their increments as those of group g.
  [[gnu::always_inline]] void run_lanes(Index first, Kept& kept, int g) const {
    Pack<LaneValues<Arguments>...> lanes;
    this->call.visit(lanes, [&](const auto& argument, auto& values, auto) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (Argument::role != Role::increments) {
        MINIAPP_UNROLL
        for (int s = 0; s < Argument::slots; ++s) {
          Lanes<Value> rows[Argument::components];
          load_lanes(
              argument.field, [&](int l) { return argument.entity(this->place(first + l), s); }, rows);
          store_lanes(rows, values + s * Argument::components);
        }
      }
    });
    compute(lanes);
    this->call.visit(lanes, [&](const auto& argument, auto& values, auto i) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (Argument::role == Role::increments) {
        MINIAPP_UNROLL
        for (int s = 0; s < Argument::slots; ++s) get<i>(kept).value[g][s].store(values + s * Argument::components);
      }
    });
  }

  [[gnu::always_inline]] void compute(Pack<LaneValues<Arguments>...>& lanes) const {
    MINIAPP_INDEPENDENT
    for (int l = 0; l < width; ++l) {
      typename Call::Locals locals;
      this->call.visit(locals, [&](const auto& argument, auto& local, auto i) {
        using Argument = std::decay_t<decltype(argument)>;
        MINIAPP_UNROLL
        for (int k = 0; k < LaneValues<Argument>::count; ++k)
          number(local, k) = Argument::role == Role::increments ? 0 : get<i>(lanes).value[k][l];
      });
      this->call.compute(locals);
      this->call.visit(locals, [&](const auto& argument, auto& local, auto i) {
        using Argument = std::decay_t<decltype(argument)>;
        if constexpr (Argument::role == Role::increments) {
          MINIAPP_UNROLL
          for (int k = 0; k < LaneValues<Argument>::count; ++k) get<i>(lanes).value[k][l] = number(local, k);
        }
      });
    }
  }
  /// Number k of T[n] or T[slots][n].
  template <class Local>
  [[gnu::always_inline]] static Value& number(Local& local, int k) {
    if constexpr (std::rank_v<Local> == 2)
      return local[k / std::extent_v<Local, 1>][k % std::extent_v<Local, 1>];
    else
      return local[k];
  }
};

/// The element kernel of a host; a GPU uses ElementKernel.
template <class Call, class Add>
using ElementsKernel = LaneKernel<Call, Add>;
#else
template <class Call, class Add>
using ElementsKernel = ElementKernel<Call, Add>;
#endif

}  // namespace miniapp::indirect
