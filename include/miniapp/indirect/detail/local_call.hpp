// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "miniapp/indirect/access.hpp"

/// The local function of a loop with its arguments, as kernels use it: load, compute, add.
namespace miniapp::indirect {

template <std::size_t i, class T>
struct PackItem {
  T item;
};
template <class Sequence, class... T>
struct PackOf;
template <std::size_t... i, class... T>
struct PackOf<std::index_sequence<i...>, T...> : PackItem<i, T>... {};
/// A tuple that kernels can use.
template <class... T>
using Pack = PackOf<std::index_sequence_for<T...>, T...>;
template <std::size_t i, class T>
KOKKOS_FORCEINLINE_FUNCTION T& get(PackItem<i, T>& pack) {
  return pack.item;
}
template <std::size_t i, class T>
KOKKOS_FORCEINLINE_FUNCTION const T& get(const PackItem<i, T>& pack) {
  return pack.item;
}

/// An element as a kernel sees it: its position in the plan's order, its number, its targets.
template <int arity>
struct Place {
  Index position, element;
  Ids<arity> targets;
};

/// Arguments that are read define entity(place, slot): the entity whose values are passed as `slot`.
enum class Role { reads_element, reads_other_map, reads_target, increments };

template <class T, int n, Layout layout>
struct DirectArgument {
  static constexpr Role role = Role::reads_element;
  using Value = T;
  static constexpr int components = n, slots = 1;
  using Local = T[n];
  FieldPointer<const T, n, layout> field;
  template <int arity>
  KOKKOS_FORCEINLINE_FUNCTION Index entity(const Place<arity>& place, int) const {
    return place.element;
  }
  template <int arity>
  KOKKOS_FORCEINLINE_FUNCTION void load(Local& local, const Place<arity>& place) const {
    field.load(place.element, local);
  }
};

template <class T, int n, Layout layout, int arity_>
struct OtherMapArgument {
  static constexpr Role role = Role::reads_other_map;
  using Value = T;
  static constexpr int components = n, slots = arity_;
  using Local = T[arity_][n];
  FieldPointer<const T, n, layout> field;
  const Ids<arity_>* ids;  ///< (position)
  template <int arity>
  KOKKOS_FORCEINLINE_FUNCTION Index entity(const Place<arity>& place, int slot) const {
    return ids[place.position].id[slot];
  }
  template <int arity>
  KOKKOS_FORCEINLINE_FUNCTION void load(Local& local, const Place<arity>& place) const {
    const Ids<arity_> from = ids[place.position];
    MINIAPP_UNROLL
    for (int s = 0; s < arity_; ++s) field.load(from.id[s], local[s]);
  }
};

template <class T, int n, Layout layout, int arity_>
struct TargetArgument {
  static constexpr Role role = Role::reads_target;
  using Value = T;
  static constexpr int components = n, slots = arity_;
  using Local = T[arity_][n];
  FieldPointer<const T, n, layout> field;
  KOKKOS_FORCEINLINE_FUNCTION Index entity(const Place<arity_>& place, int slot) const {
    return place.targets.id[slot];
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(Local& local, const Place<arity_>& place) const {
    MINIAPP_UNROLL
    for (int s = 0; s < arity_; ++s) field.load(place.targets.id[s], local[s]);
  }
};

template <class T, int n, Layout layout_, int arity_, bool exchanges_>
struct IncrementArgument {
  static constexpr Layout layout = layout_;
  static constexpr Role role = Role::increments;
  static constexpr bool exchanges = exchanges_;
  using Value = T;
  /// Increments are kept in `slots` slots per element: an exchange keeps only what its first target gains.
  static constexpr int components = n, slots = exchanges ? 1 : arity_;
  using Local = std::conditional_t<exchanges, T[n], T[arity_][n]>;
  FieldPointer<T, n, layout> field;
  FieldPointer<T, slots * n, layout> staged;  ///< (position), Strategy::staged

  template <int arity>
  KOKKOS_FORCEINLINE_FUNCTION void load(Local& local, const Place<arity>&) const {
    MINIAPP_UNROLL
    for (int s = 0; s < slots; ++s) {
      MINIAPP_UNROLL
      for (int c = 0; c < n; ++c) kept(local, s, c) = T(0);
    }
  }
  static KOKKOS_FORCEINLINE_FUNCTION T& kept(Local& local, [[maybe_unused]] int slot, int component) {
    if constexpr (exchanges)
      return local[component];
    else
      return local[slot][component];
  }
  /// Increments of an element as a function object: a lambda would be inlined too late for the compiler's early
  /// optimisation passes.
  struct Kept {
    Local& local;
    KOKKOS_FORCEINLINE_FUNCTION T operator()(int slot, int component) const { return kept(local, slot, component); }
  };
  /// The increment of target number `slot`, from the kept increments `value(slot, component)`.
  template <class Kept>
  static KOKKOS_FORCEINLINE_FUNCTION T of_kept(const Kept& value, [[maybe_unused]] int slot, int component) {
    if constexpr (exchanges)
      return slot == 0 ? value(0, component) : -value(0, component);
    else
      return value(slot, component);
  }
};

template <class T>
struct Boxed {
  T value;
};

/// Calls function(locals...) for one element.
template <class Function, int arity_, class... Arguments>
struct LocalCall {
  static constexpr int arity = arity_;
  using FunctionType = Function;
  using Locals = Pack<Boxed<typename Arguments::Local>...>;
  using Indices = std::index_sequence_for<Arguments...>;
  Function function;
  Pack<Arguments...> arguments;

  /// Calls visit(argument, local, index_constant<i>) for every argument, in order; `locals` are Locals or similar.
  template <class Packed, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Packed& locals, const Visit& visitor) const {
    visit_all(locals, visitor, Indices());
  }
  /// Calls visit(argument, index_constant<i>) for every argument of a role.
  template <Role role, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit_role(const Visit& visitor) const {
    visit_role_all<role>(visitor, Indices());
  }
  KOKKOS_FORCEINLINE_FUNCTION void compute(Locals& locals) const { compute_all(locals, Indices()); }

 private:
  template <class Packed, class Visit, std::size_t... i>
  KOKKOS_FORCEINLINE_FUNCTION void visit_all(Packed& locals, const Visit& visitor, std::index_sequence<i...>) const {
    (visitor(get<i>(arguments), get<i>(locals).value, std::integral_constant<std::size_t, i>()), ...);
  }
  template <Role role, class Visit, std::size_t... i>
  KOKKOS_FORCEINLINE_FUNCTION void visit_role_all(const Visit& visitor, std::index_sequence<i...>) const {
    (visit_if<role>(get<i>(arguments), visitor, std::integral_constant<std::size_t, i>()), ...);
  }
  template <Role role, class Argument, class Visit, class I>
  static KOKKOS_FORCEINLINE_FUNCTION void visit_if(const Argument& argument, const Visit& visitor, I i) {
    if constexpr (Argument::role == role) visitor(argument, i);
  }
  template <std::size_t... i>
  KOKKOS_FORCEINLINE_FUNCTION void compute_all(Locals& locals, std::index_sequence<i...>) const {
    function(get<i>(locals).value...);
  }
};

}  // namespace miniapp::indirect
