// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/detail/resident_update.hpp"

namespace miniapp::solver {

namespace detail {

/// p . q, q . M^-1 q and r . M^-1 q. 3 words per entry.
template <class Real, PointwisePreconditioner<Real> M>
struct ProductSums {
  M m;
  const Real *p, *q, *r;
  struct Entry {
    Real p, q, r;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const { return {p[i], q[i], r[i]}; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    const double z = m.at(i, entry.q);
    add(0, double(entry.p) * double(entry.q));
    add(1, double(entry.q) * z);
    add(2, double(entry.r) * z);
  }
};

/// q = A p with p . q; dx, r and their sums; p. Or, where the operator has chunks: dx, r and p with their sums, then q
/// = A p with its sums, entries in caches.
template <bool defers>
struct FusedSteps {
  template <class Real, class Operator, class M>
  static void begin(const Instance& instance, const Operator& A, const M& m, const DeviceCgWorkspace<Real>& work,
                    double* slot) {
    if constexpr (linalg::may_have_chunks<Operator>) {
      if (!A.has_chunks()) return;
      linalg::apply<Real>(instance, A, work.p, work.q);
      linalg::sum_entries<3>(instance, A.space(), "solver/cg/product",
                             ProductSums<Real, M>{m, work.p.data(), work.q.data(), work.r.data()}, slot + 2);
    }
  }

  template <class Real, class Operator, class M>
  static void iterate(const Instance& instance, const Operator& A, const M& m, const DeviceCgWorkspace<Real>& work,
                      int i, int count) {
    double *const now = work.slot(i), *const next = work.slot(i + 1);
    if constexpr (linalg::may_have_chunks<Operator>)
      if (A.has_chunks()) return iterate_between(instance, A, m, work, now, next);
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

 private:
  template <class Real, class Operator, class M>
  static void iterate_between(const Instance& instance, const Operator& A, const M& m,
                              const DeviceCgWorkspace<Real>& work, const double* now, double* next) {
    const UpdateAll<Real, M> update{
        now, work.limit.data(), m, work.p.data(), work.dx.data(), work.r.data(), work.q.data(), false, true, false, 0,
        0};
    const ProductSums<Real, M> product{m, work.p.data(), work.q.data(), work.r.data()};
    linalg::apply_between<Real, 2, 3>(instance, A, work.p, work.q, update, product, next);
  }
};

/// GPUs, whose host checks now and then, take steps of dx two at a time.
using Fused = FusedSteps<!runs_on_host>;

}  // namespace detail

/// The iteration of cg() in three passes: q = A p with p . q; dx, r and their sums, and q = 0 where A adds to q;
/// p. Scalars stay on the device, which runs check_every iterations (as one replay where the operator allows it) before
/// the host checks the residuals. dx, r and p stop changing at the first residual that is small enough, so that
/// iterations and result are those of cg(). z is never stored. On GPUs a system that fits into registers takes two
/// passes (ResidentUpdate). On hosts an operator that has_chunks() is one pass: vectors are updated where its elements
/// read them next, and p . q, q . M^-1 q and r . M^-1 q are summed where they have been added to, which gives beta
/// before the next residual is known (M. Kronbichler, D. Sashko, P. Munch, Enhancing data locality of the conjugate
/// gradient method for high-order matrix-free finite-element implementations, Int. J. High Perform. Comput. Appl. 37
/// (2023)). It has 8 words per entry with A's vectors, the others 12, and one application more per solve. Traffic per
/// iteration in words per entry, without A and M: update update_words(), 1 more where A adds to q, direction 3, and p .
/// q 2 where A does not compute it. Errors: as cg().
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult fused_cg(const Instance& instance, const Operator& A, const M& m, const Vector<const Real>& b,
                  const Vector<Real>& x, DeviceCgWorkspace<Real>& work, const CgOptions& options) {
  return detail::solve_on_device<detail::Fused, Real>(instance, A, m, b, x, work, options);
}

}  // namespace miniapp::solver
