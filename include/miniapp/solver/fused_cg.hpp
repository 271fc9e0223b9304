// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/detail/resident_update.hpp"

namespace miniapp::solver {

namespace detail {

/// q = A p with p . q; dx, r and their sums; p.
template <bool defers>
struct FusedSteps {
  template <class Real, class Operator, class M>
  static void begin(const Instance&, const Operator&, const M&, const DeviceCgWorkspace<Real>&, double*) {}

  template <class Real, class Operator, class M>
  static void iterate(const Instance& instance, const Operator& A, const M& m, const DeviceCgWorkspace<Real>& work,
                      int i, int count) {
    double *const now = work.slot(i), *const next = work.slot(i + 1);
    const DxSteps steps = !defers         ? DxSteps::own
                          : i % 2 == 1    ? DxSteps::both
                          : i + 1 < count ? DxSteps::none
                                          : DxSteps::own;
    Real* const left = steps == DxSteps::none ? work.dx.data() : nullptr;
    const UpdateResidual<Real, M, defers> update{i > 0 ? work.slot(i - 1) : nullptr,
                                                 now,
                                                 work.limit.data(),
                                                 steps,
                                                 m,
                                                 work.p.data(),
                                                 work.dx.data(),
                                                 work.r.data(),
                                                 work.q.data(),
                                                 linalg::needs_zeros(A),
                                                 false,
                                                 0,
                                                 0};
    const UpdateDirection<Real, M, defers> direction{
        now, next, work.limit.data(), m, work.r.data(), work.p.data(), left, false, false, 0, 0};
#if defined(KOKKOS_ENABLE_CUDA)
    if (A.space().exchange.empty() && fits_resident_update<Real, M>(work.r.extent(0)))
      return run_resident_update<Real>(instance, A, work, update, direction, now, next);
#endif
    linalg::apply_to_zero<Real>(instance, A, work.p, work.q, now + 2);
    linalg::sum_entries<2>(instance, A.space(), "solver/cg/update", update, next);
    linalg::for_entries(instance, A.space(), "solver/cg/direction", direction);
  }
};

/// GPUs, whose host checks now and then, take steps of dx two at a time.
using Fused = FusedSteps<!runs_on_host>;

}  // namespace detail

/// The iteration of cg() in three passes: q = A p with p . q; dx, r and their sums, and q = 0 where A adds to q;
/// p. Scalars stay on the device, which runs check_every iterations (as one replay where the operator allows it) before
/// the host checks the residuals. dx, r and p stop changing at the first residual that is small enough, so that
/// iterations and result are those of cg(). z is never stored. On GPUs a system that fits into registers takes two
/// passes (ResidentUpdate). Traffic per iteration in words per entry, without A and M: update update_words(), 1 more
/// where A adds to q, direction 3, and p . q 2 where A does not compute it. Errors: as cg().
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult fused_cg(const Instance& instance, const Operator& A, const M& m, const Vector<const Real>& b,
                  const Vector<Real>& x, DeviceCgWorkspace<Real>& work, const CgOptions& options) {
  return detail::solve_on_device<detail::Fused, Real>(instance, A, m, b, x, work, options);
}

}  // namespace miniapp::solver
