// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <type_traits>

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

/// A base of preconditioners in single precision between two vectors of their own: run() computes correction() = M^-1
/// residual(). CG writes and reads them on its way, so that no z in its own precision is needed.
class SinglePrecisionPreconditioner {
 public:
  virtual ~SinglePrecisionPreconditioner() = default;
  virtual void run(const Instance& instance) const = 0;
  virtual Vector<float> residual() const = 0;
  virtual Vector<const float> correction() const = 0;
};

/// `m`, or what it has, as such a preconditioner; null where it is none.
template <class M>
const SinglePrecisionPreconditioner* in_single_precision(const M& m) {
  if constexpr (std::is_base_of_v<SinglePrecisionPreconditioner, M>) return &m;
  if constexpr (requires { m.in_single_precision(); }) return m.in_single_precision();
  return nullptr;
}

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
