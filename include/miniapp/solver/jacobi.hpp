// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/preconditioner.hpp"

namespace miniapp::solver {

/// Diagonal preconditioner: z = r / diagonal.
template <class Real>
class Jacobi : public StoresResult {
 public:
  /// `diagonal` must be positive.
  explicit Jacobi(const Vector<const double>& diagonal) : inverse_(invert(diagonal)) {}

  KOKKOS_FORCEINLINE_FUNCTION Real at(std::size_t i, Real r) const { return inverse_(i) * r; }
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double) const {
    return linalg::scale<Real>(instance, space, inverse_, r, z);
  }

  /// inverse = 1 / diagonal. A functor, since clients compile it: for a lambda nvcc emits pointers in every translation
  /// unit, and the linker mixes them up.
  struct Invert {
    Vector<const double> diagonal;
    Vector<Real> inverse;
    KOKKOS_FUNCTION void operator()(std::size_t i) const { inverse(i) = static_cast<Real>(1 / diagonal(i)); }
  };

 private:
  static Vector<Real> invert(const Vector<const double>& diagonal) {
    const Vector<Real> inverse = make_vector<Real>("solver/jacobi", diagonal.extent(0));
    Kokkos::parallel_for("solver/jacobi", Kokkos::RangePolicy<ExecutionSpace>(0, diagonal.extent(0)),
                         Invert{diagonal, inverse});
    return inverse;
  }

  Vector<Real> inverse_;
};

}  // namespace miniapp::solver
