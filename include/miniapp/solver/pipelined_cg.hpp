// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/detail/device_cg.hpp"

namespace miniapp::solver {

namespace detail {

/// q . M^-1 q.
template <class Real, PointwisePreconditioner<Real> M>
struct SquareOfProduct {
  M m;
  const Real* q;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return q[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add& add) const {
    add(0, double(value) * double(m.at(i, value)));
  }
};

/// All vectors with their sums; q = A p with its sums.
struct Pipelined {
  /// q = A p; slot[2] = p . q, slot[3] = q . M^-1 q.
  template <class Real, class Operator, class M>
  static void begin(const Instance& instance, const Operator& A, const M& m, const DeviceCgWorkspace<Real>& work,
                    double* slot) {
    if constexpr (requires { A.apply_with_sums(instance, m, Vector<const Real>(work.p), work.q, slot); }) {
      A.apply_with_sums(instance, m, Vector<const Real>(work.p), work.q, slot + 2);
    } else {
      linalg::apply_to_zero<Real>(instance, A, work.p, work.q, slot + 2);
      linalg::sum_entries<1>(instance, A.space(), "solver/cg/square", SquareOfProduct<Real, M>{m, work.q.data()},
                             slot + 3);
    }
  }

  template <class Real, class Operator, class M>
  static void iterate(const Instance& instance, const Operator& A, const M& m, const DeviceCgWorkspace<Real>& work,
                      int i, int /*count*/) {
    linalg::sum_entries<2>(instance, A.space(), "solver/cg/update all",
                           UpdateAll<Real, M>{work.slot(i), work.limit.data(), m, work.p.data(), work.dx.data(),
                                              work.r.data(), work.q.data(), linalg::needs_zeros(A), false, false, 0, 0},
                           work.slot(i + 1));
    begin(instance, A, m, work, work.slot(i + 1));
  }
};

}  // namespace detail

/// CG with one reduction per iteration, in two passes: dx, r and p with r . r and r . z; q = A p with p . q and q .
/// M^-1 q. The second beta comes from a recurrence for r . z, the first from r . z itself, so that errors do not build
/// up. An operator that has no apply_with_sums() takes a third pass, one word per entry, for the last sum. Scalars,
/// checks and the end are those of fused_cg(). Traffic per iteration in words per entry, without A and M: 7 or 8, and 2
/// of A's own vectors; fused_cg() has 9 or 10, 7.5 or 8.5 on GPUs. Source: K. Rupp, J. Weinbub, A. Juengel, T. Grasser,
/// Pipelined iterative solvers with kernel fusion for graphics processing units, ACM Trans. Math. Softw. 43 (2016),
/// article 11. Errors: as cg().
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult pipelined_cg(const Instance& instance, const Operator& A, const M& m, const Vector<const Real>& b,
                      const Vector<Real>& x, DeviceCgWorkspace<Real>& work, const CgOptions& options) {
  return detail::solve_on_device<detail::Pipelined, Real>(instance, A, m, b, x, work, options);
}

}  // namespace miniapp::solver
