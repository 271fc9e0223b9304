// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/weakform/residual.hpp"

namespace miniapp::weakform {

/// The Jacobian of a residual at u as a linear operator (linalg/linear_operator.hpp), for solvers: y = J(u) x on
/// vectors (node, component) that are zero at constrained nodes. Keeps references to residual and space, which must
/// outlive it, and u, whose values may change between applications.
template <Form F, class Real>
class Jacobian {
 public:
  Jacobian(const Residual<F, Real>& residual, const space::Space& space, const Vector<const Real>& u)
      : residual_(residual), space_(space), u_(u) {}
  const space::Space& space() const { return space_; }
  void apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    residual_.apply_jacobian(instance, u_, x, y);
  }
  /// Residual::bytes() and the direction's.
  double bytes() const { return residual_.bytes() + sizeof(Real) * double(residual_.num_entries()); }

 private:
  const Residual<F, Real>& residual_;
  const space::Space& space_;
  Vector<const Real> u_;
};

}  // namespace miniapp::weakform
