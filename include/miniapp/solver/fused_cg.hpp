// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/solver/cg.hpp"
#include "miniapp/streaming/entries.hpp"

namespace miniapp::solver {

/// Vectors of an iteration, r, p and q = A p, and the scalars of the iterations that the device does on its own.
template <class Real>
struct FusedCgWorkspace {
  static constexpr int check_every = 25;  ///< iterations between two looks of the host at the residual
  static constexpr int slots = check_every + 1;

  explicit FusedCgWorkspace(std::size_t size)
      : r("solver/cg/r", size),
        p("solver/cg/p", size),
        q("solver/cg/q", size),
        scalars("solver/cg/scalars", 3 * slots) {}
  double* slot(int iteration) const { return scalars.data() + 3 * (iteration % slots); }

  Vector<Real> r, p, q;
  Vector<double> scalars;  ///< a ring of slots, an iteration each: r . r and r . z before it, p . A p of it
};

namespace detail {

/// x += alpha p, r -= alpha q, q = 0, alpha = r_z / p_q of an iteration, 0 once r . r <= limit: x stays as it is while
/// the host has not seen yet that it is the solution. Sums: r . r and r . z of the new r. 7 words an entry.
template <class Real, PointwisePreconditioner<Real> M>
struct UpdateResidual {
  const double* scalars;  ///< r . r, r . z, p . A p
  double limit;
  M m;
  const Real* p;
  Real *x, *r, *q;
  struct Entry {
    Real x, r;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const {
    const Real alpha = scalars[0] > limit ? static_cast<Real>(scalars[1] / scalars[2]) : Real(0);
    return {x[i] + alpha * p[i], r[i] - alpha * q[i]};
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    x[i] = entry.x;
    r[i] = entry.r;
    q[i] = 0;
    add(0, double(entry.r) * double(entry.r));
    add(1, double(entry.r) * double(m.at(i, entry.r)));
  }
};
template <class Real, PointwisePreconditioner<Real> M>
void update_residual(const FusedCgWorkspace<Real>& work, int i, double limit, const M& m, const Vector<Real>& x) {
  const UpdateResidual<Real, M> body{work.slot(i), limit, m, work.p.data(), x.data(), work.r.data(), work.q.data()};
  streaming::sum_entries<2>("solver/cg/update", x.extent(0), body, work.slot(i + 1));
}

/// p = z + beta p, beta = r_z of iteration i + 1 over that of i; p = z where `first`. 3 words an entry.
template <class Real, PointwisePreconditioner<Real> M>
void update_direction(const FusedCgWorkspace<Real>& work, int i, bool first, const M& m) {
  const double *const before = work.slot(i), *const after = work.slot(i + 1);
  const Real* const r = work.r.data();
  Real* const p = work.p.data();
  constexpr int block = runs_on_host ? 1024 : 1;
  const std::size_t n = work.p.extent(0);
  Kokkos::parallel_for(
      "solver/cg/direction", Kokkos::RangePolicy<ExecutionSpace>(0, (n + block - 1) / block),
      KOKKOS_LAMBDA(const int b) {
        const Real beta = first ? Real(0) : static_cast<Real>(after[1] / before[1]);
        const std::size_t begin = std::size_t(b) * block, end = begin + block < n ? begin + block : n;
        for (std::size_t entry = begin; entry < end; ++entry) p[entry] = m.at(entry, r[entry]) + beta * p[entry];
      });
}

}  // namespace detail

/// The same iteration as cg(), in three passes: q = A p with p . q behind it; x, r, their sums and the zeroing of the
/// next q; p. Scalars stay on the device, which runs on for check_every iterations before the host looks at the
/// residuals; x stops at the first that is small enough, so that iterations and result are those of cg(). z is never
/// stored. Traffic of an iteration in words an entry, beside A and M: p . q 2, update 7, direction 3. Errors: as cg().
template <class Real, LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult fused_cg(const Operator& A, const M& m, const Vector<const Real>& b, const Vector<Real>& x,
                  FusedCgWorkspace<Real>& work, const CgOptions& options) {
  Kokkos::deep_copy(ExecutionSpace(), x, Real(0));
  Kokkos::deep_copy(ExecutionSpace(), work.p, Real(0));
  Kokkos::deep_copy(ExecutionSpace(), work.q, Real(0));
  streaming::copy<Real>(b, work.r);
  Kokkos::deep_copy(ExecutionSpace(), work.scalars, 0.0);
  detail::update_residual(work, 0, 0, m, x);
  detail::update_direction(work, 0, true, m);

  const auto host = Kokkos::create_mirror(work.scalars);
  const auto scalar = [&](int iteration, int which) { return host(3 * (iteration % work.slots) + which); };
  Kokkos::deep_copy(host, work.scalars);
  const double norm_b = std::sqrt(scalar(1, 0)), limit = std::pow(options.tolerance * norm_b, 2);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  result.converged = norm_b == 0;
  while (!result.converged && result.iterations < options.max_iterations) {
    const int first = 1 + result.iterations,
              last = first + std::min(work.check_every, options.max_iterations - result.iterations);
    for (int i = first; i < last; ++i) {
      apply_to_zero<Real>(A, work.p, work.q);
      streaming::dot<Real>(work.p, work.q, work.slot(i) + 2);
      detail::update_residual(work, i, limit, m, x);
      detail::update_direction(work, i, false, m);
    }
    Kokkos::deep_copy(host, work.scalars);
    for (int i = first; i < last && !result.converged; ++i) {
      require_positive(scalar(i, 2), scalar(i, 1), i);
      ++result.iterations;
      result.residuals.push_back(std::sqrt(scalar(i + 1, 0)) / norm_b);
      if (options.progress) options.progress(result.iterations, result.residuals.back());
      result.converged = scalar(i + 1, 0) <= limit;
    }
  }
  result.relative_residual = result.residuals.back();
  return result;
}

}  // namespace miniapp::solver
