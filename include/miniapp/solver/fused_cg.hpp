// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/detail/device_cg.hpp"

namespace miniapp::solver {

namespace detail {

/// dx += alpha p, r -= alpha q, q = 0 where the operator needs that, alpha = r_z / p_q. Once r . r <= limit, dx and r
/// no longer change, whatever p and q hold, until the host notices the end. Sums: r . r and r . z of the new r. 6 or 7
/// words per entry.
template <class Real, PointwisePreconditioner<Real> M>
struct UpdateResidual {
  static constexpr int waves = 8;
  const double *scalars, *limit;  ///< r . r, r . z, p . A p
  M m;
  const Real* p;
  Real *dx, *r, *q;
  bool zero_q, moves;
  Real alpha;
  struct Entry {
    Real dx, r;
  };
  KOKKOS_FUNCTION UpdateResidual prepared() const {
    UpdateResidual body = *this;
    body.moves = scalars[0] > *limit;
    body.alpha = static_cast<Real>(scalars[1] / scalars[2]);
    return body;
  }
  KOKKOS_FUNCTION Entry load(std::size_t i) const {
    const Entry old{dx[i], r[i]}, moved{old.dx + alpha * p[i], old.r - alpha * q[i]};
    return moves ? moved : old;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    dx[i] = entry.dx;
    r[i] = entry.r;
    if (zero_q) q[i] = 0;
    add(0, double(entry.r) * double(entry.r));
    add(1, double(entry.r) * double(m.at(i, entry.r)));
  }
};

/// q = A p with p . q; dx, r and their sums; p.
struct Fused {
  template <class Real, class Operator, class M>
  static void begin(const Instance&, const Operator&, const M&, const DeviceCgWorkspace<Real>&, double*) {}

  template <class Real, class Operator, class M>
  static void iterate(const Instance& instance, const Operator& A, const M& m, const DeviceCgWorkspace<Real>& work,
                      double* slot, double* next) {
    linalg::apply_to_zero<Real>(instance, A, work.p, work.q, slot + 2);
    linalg::sum_entries<2>(instance, A.space(), "solver/cg/update",
                           UpdateResidual<Real, M>{slot, work.limit.data(), m, work.p.data(), work.dx.data(),
                                                   work.r.data(), work.q.data(), linalg::needs_zeros(A), false, 0},
                           next);
    update_direction(instance, A.space(), work, m, slot, next);
  }
};

}  // namespace detail

/// The iteration of cg() in three passes: q = A p with p . q; dx, r and their sums, and q = 0 where A adds to q;
/// p. Scalars stay on the device, which runs check_every iterations (as one replay where the operator allows it) before
/// the host checks the residuals. dx, r and p stop changing at the first residual that is small enough, so that
/// iterations and result are those of cg(). z is never stored. Traffic per iteration in words per entry, without A and
/// M: update 6 or 7, direction 3, and p . q 2 where A does not compute it. Errors: as cg().
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult fused_cg(const Instance& instance, const Operator& A, const M& m, const Vector<const Real>& b,
                  const Vector<Real>& x, DeviceCgWorkspace<Real>& work, const CgOptions& options) {
  return detail::solve_on_device<detail::Fused, Real>(instance, A, m, b, x, work, options);
}

}  // namespace miniapp::solver
