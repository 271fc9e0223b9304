// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "miniapp/linalg/vectors.hpp"

namespace miniapp::solver {

/// A preconditioner computes z = M^-1 r on vectors of a space for a symmetric positive definite M and returns r . z;
/// r_r is r . r. result(r, z) is the vector that holds the result. One whose M is symmetric only nearly has a member
/// function is_symmetric() that tells so.
template <class M, class Real>
concept Preconditioner = requires(const M& m, const Instance& instance, const space::Space& space,
                                  const Vector<const Real>& r, const Vector<Real>& z, double r_r) {
  { m.apply(instance, space, r, z, r_r) } -> std::convertible_to<double>;
  { m.result(r, z) } -> std::convertible_to<Vector<const Real>>;
};

template <class M>
bool is_symmetric(const M& m) {
  if constexpr (requires { m.is_symmetric(); }) return m.is_symmetric();
  return true;
}

/// z = M^-1 r entry by entry, z[i] = at(i, r[i]), in a kernel.
template <class M, class Real>
concept PointwisePreconditioner = requires(const M& m, std::size_t i, Real r) {
  { m.at(i, r) } -> std::convertible_to<Real>;
};

/// A base of preconditioners that store their result in z.
struct StoresResult {
  template <class R, class Z>
  const Z& result(const R&, const Z& z) const {
    return z;
  }
};

/// A preconditioner in single precision between two vectors of its own: run() computes correction() = M^-1 residual().
/// CG writes and reads them on its way, so that no z in its own precision is needed.
template <class M>
concept SinglePrecisionPreconditioner = requires(const M& m, const Instance& instance) {
  m.run(instance);
  { m.residual() } -> std::convertible_to<Vector<float>>;
  { m.correction() } -> std::convertible_to<Vector<const float>>;
};

/// No preconditioner: z = r.
struct Identity {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real at(std::size_t, Real r) const {
    return r;
  }
  template <class Real>
  double apply(const Instance&, const space::Space&, const Vector<const Real>&, const Vector<Real>&, double r_r) const {
    return r_r;
  }
  template <class Real>
  Vector<const Real> result(const Vector<const Real>& r, const Vector<Real>&) const {
    return r;
  }
};

}  // namespace miniapp::solver
