// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "miniapp/linalg/vectors.hpp"

namespace miniapp::linalg {

/// An operator that computes y = A x on vectors of a space and knows the least memory traffic of one application. It
/// adds the contributions of this rank's elements; apply() below those of all ranks.
template <class A, class Real>
concept LinearOperator = requires(const A& a, const Instance& instance, const Vector<const Real>& x,
                                  const Vector<Real>& y) {
  { a.space() } -> std::convertible_to<const space::Space&>;
  a.apply(instance, x, y);
  { a.bytes() } -> std::convertible_to<double>;
};

namespace detail {

/// Whether the operator is applied in steps: what elements add to unknowns of other ranks travels while the other
/// elements are done. One that can has member functions has_steps(), apply_shared() and apply_inner().
template <class A>
bool has_steps(const A& a) {
  if constexpr (requires { a.has_steps(); }) return a.has_steps();
  return false;
}

/// y = A x over all ranks in steps, where y is zero; also *energy = x . y, unless it is null.
template <class Real, class A>
void apply_in_steps(const Instance& instance, const A& a, const Vector<Real>& x, const Vector<Real>& y,
                    double* energy) {
  if constexpr (requires { a.has_steps(); }) {
    a.apply_shared(instance, Vector<const Real>(x), y, energy);
    a.space().exchange.start(instance, y);
    a.apply_inner(instance, Vector<const Real>(x), y, energy);
    a.space().exchange.finish(instance, y, energy, energy ? 1 : 0);
  }
}

}  // namespace detail

/// y = A x over all ranks. Errors: InputError where x or y is no vector of A's space.
template <class Real, LinearOperator<Real> A>
void apply(const Instance& instance, const A& a, const Vector<Real>& x, const Vector<Real>& y) {
  require_vectors(a.space(), {{"x", x.extent(0)}, {"y", y.extent(0)}});
  if (detail::has_steps(a)) {
    fill(instance, y, 0);
    return detail::apply_in_steps<Real>(instance, a, x, y, nullptr);
  }
  a.apply(instance, Vector<const Real>(x), y);
  a.space().exchange.sum(instance, y);
}

/// y = A x where y is already zero; also *energy = x . y on the device, without waiting. An operator that can exploit
/// the zeros, or that computes the energy of its elements on the way, has a member function of this name.
template <class Real, LinearOperator<Real> A>
void apply_to_zero(const Instance& instance, const A& a, const Vector<Real>& x, const Vector<Real>& y, double* energy) {
  if constexpr (requires { a.apply_to_zero(instance, Vector<const Real>(x), y, energy); }) {
    if (detail::has_steps(a)) return detail::apply_in_steps<Real>(instance, a, x, y, energy);
    a.apply_to_zero(instance, Vector<const Real>(x), y, energy);
    a.space().exchange.sum(instance, y, energy, 1);
  } else {
    apply<Real>(instance, a, x, y);
    dot<Real>(instance, a.space(), x, y, energy);
  }
}

/// Whether an operator of this type may run loops between its elements: apply_between().
template <class A>
inline constexpr bool may_have_chunks = runs_on_host&& requires(const A& a) {
  a.has_chunks();
};

/// Loops around a product y = A x on a host, for an operator that runs them on ranges of entries.
struct LoopsAround {
  static constexpr int most_sums = streaming::detail::most_sums;
  streaming::RangeLoop before, after;
  streaming::RangeLoop after_all;  ///< `after` where other ranks add to y, once they have
  int sums;                        ///< how many sums all loops have together
};

/// Runs `before` over all entries, y = A x, and `after` over all entries, by an operator that has_chunks(): loops run
/// on parts of the vectors that its elements read next, or have added to, so that they find them in caches. Both are
/// bodies of streaming/entries.hpp. `before` may change x and read what y was, entry by entry. The sums of `before`,
/// then those of `after`, of owned entries of all ranks, are stored to sums[0 .. before_sums + after_sums).
template <class Real, int before_sums, int after_sums, LinearOperator<Real> A, class Before, class After>
requires may_have_chunks<A>
void apply_between(const Instance& instance, const A& a, const Vector<Real>& x, const Vector<Real>& y,
                   const Before& before, const After& after, double* sums) {
  static_assert(before_sums + after_sums <= LoopsAround::most_sums);
  using streaming::make_range_loop;
  const space::Exchange& exchange = a.space().exchange;
  const detail::OwnedSums<Before> owned_before(before, exchange.owned().data());
  const detail::OwnedSums<After> owned_after(after, exchange.owned().data());
  LoopsAround loops{make_range_loop<before_sums>(before, 0), make_range_loop<after_sums>(after, before_sums),
                    make_range_loop<after_sums>(after, before_sums), before_sums + after_sums};
  if (!exchange.empty()) {
    loops.before = make_range_loop<before_sums>(owned_before, 0);
    loops.after_all = make_range_loop<after_sums>(owned_after, before_sums);
  }
  a.apply_between(
      instance, Vector<const Real>(x), y, loops, [&] { exchange.sum(instance, y); }, sums);
  exchange.reduce(instance, sums, loops.sums);
}

/// y += A x on one rank. Returns terms whose sum is x . y: the caller adds them up and sets them to zero. An operator
/// that has such terms has a member function of this name; of another nothing is done, and the result is empty.
template <class Real, LinearOperator<Real> A>
Vector<double> add_with_energy_terms(const Instance& instance, const A& a, const Vector<Real>& x,
                                     const Vector<Real>& y) {
  if constexpr (requires { a.add_with_energy_terms(instance, Vector<const Real>(x), y); })
    return a.add_with_energy_terms(instance, Vector<const Real>(x), y);
  return {};
}

/// Whether apply_to_zero() adds to y; an operator that does has a member function of this name that returns true.
template <class A>
bool needs_zeros(const A& a) {
  if constexpr (requires { a.needs_zeros(); }) return a.needs_zeros();
  return false;
}

}  // namespace miniapp::linalg
