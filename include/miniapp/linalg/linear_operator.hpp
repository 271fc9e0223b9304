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

/// y = A x over all ranks.
template <class Real, LinearOperator<Real> A>
void apply(const Instance& instance, const A& a, const Vector<Real>& x, const Vector<Real>& y) {
  a.apply(instance, Vector<const Real>(x), y);
  a.space().exchange.sum(instance, y);
}

/// The same where y is already zero; also *energy = x . y on the device, without waiting. An operator that can exploit
/// the zeros, or that computes the energy of its elements on the way, has a member function of this name.
template <class Real, LinearOperator<Real> A>
void apply_to_zero(const Instance& instance, const A& a, const Vector<Real>& x, const Vector<Real>& y, double* energy) {
  if constexpr (requires { a.apply_to_zero(instance, Vector<const Real>(x), y, energy); }) {
    const space::Exchange& exchange = a.space().exchange;
    a.apply_to_zero(instance, Vector<const Real>(x), y, energy);
    exchange.sum(instance, y, energy, 1);
  } else {
    apply<Real>(instance, a, x, y);
    dot<Real>(instance, a.space(), x, y, energy);
  }
}

/// Whether apply_to_zero() adds to y; an operator that does has a member function of this name that returns true.
template <class A>
bool needs_zeros(const A& a) {
  if constexpr (requires { a.needs_zeros(); }) return a.needs_zeros();
  return false;
}

}  // namespace miniapp::linalg
