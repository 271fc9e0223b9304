// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "miniapp/streaming/vector_kernels.hpp"

namespace miniapp::linalg {

/// Anything that computes y = A x on vectors of one length.
template <class A, class Real>
concept LinearOperator = requires(const A& a, const Instance& instance, const Vector<const Real>& x,
                                  const Vector<Real>& y) {
  {a.apply(instance, x, y)};
};

/// y = A x where y is zero already, and *energy = x . y on the device, without waiting. An operator that can make use
/// of the zeros, or computes the energy on its way, has a function of this name.
template <class Real, LinearOperator<Real> A>
void apply_to_zero(const Instance& instance, const A& a, const Vector<const Real>& x, const Vector<Real>& y,
                   double* energy) {
  if constexpr (requires { a.apply_to_zero(instance, x, y, energy); }) {
    a.apply_to_zero(instance, x, y, energy);
  } else {
    a.apply(instance, x, y);
    streaming::dot<Real>(instance, x, y, energy);
  }
}

/// Whether apply_to_zero() adds to y: an operator that does has a function of this name, which says true.
template <class A>
bool needs_zeros(const A& a) {
  if constexpr (requires { a.needs_zeros(); }) return a.needs_zeros();
  return false;
}

}  // namespace miniapp::linalg
