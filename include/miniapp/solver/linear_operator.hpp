// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "miniapp/streaming/vector_kernels.hpp"

namespace miniapp::solver {

/// Anything that computes y = A x on vectors of one length.
template <class A, class Real>
concept LinearOperator = requires(const A& a, const Vector<const Real>& x, const Vector<Real>& y) {
  {a.apply(x, y)};
};

/// Anything that computes z = M^-1 r for a symmetric positive definite M and returns r . z; r_r is r . r. The result is
/// where result(r, z) says.
template <class M, class Real>
concept Preconditioner = requires(const M& m, const Vector<const Real>& r, const Vector<Real>& z, double r_r) {
  { m.apply(r, z, r_r) } -> std::convertible_to<double>;
  { m.result(r, z) } -> std::convertible_to<Vector<const Real>>;
};

/// z = M^-1 r entry by entry, z[i] = at(i, r[i]), in a kernel.
template <class M, class Real>
concept PointwisePreconditioner = requires(const M& m, std::size_t i, Real r) {
  { m.at(i, r) } -> std::convertible_to<Real>;
};

/// y = A x where y is zero already, and *energy = x . y on the device, without waiting. An operator that can make use
/// of the zeros, or computes the energy on its way, has a function of this name.
template <class Real, LinearOperator<Real> A>
void apply_to_zero(const A& a, const Vector<const Real>& x, const Vector<Real>& y, double* energy) {
  if constexpr (requires { a.apply_to_zero(x, y, energy); }) {
    a.apply_to_zero(x, y, energy);
  } else {
    a.apply(x, y);
    streaming::dot<Real>(x, y, energy);
  }
}

/// Whether apply_to_zero() adds to y: an operator that does has a function of this name, which says true.
template <class A>
bool needs_zeros(const A& a) {
  if constexpr (requires { a.needs_zeros(); }) return a.needs_zeros();
  return false;
}

/// No preconditioner: z is r.
struct Identity {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real at(std::size_t, Real r) const {
    return r;
  }
  template <class Real>
  double apply(const Vector<const Real>&, const Vector<Real>&, double r_r) const {
    return r_r;
  }
  template <class Real>
  Vector<const Real> result(const Vector<const Real>& r, const Vector<Real>&) const {
    return r;
  }
};

}  // namespace miniapp::solver
