// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/core/replay.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/streaming/entries.hpp"

namespace miniapp::solver {

/// Vectors of an iteration, r, p and q = A p, and the scalars of the iterations that the device does on its own. A
/// workspace serves one operator and preconditioner: it keeps their iterations to replay them.
template <class Real>
struct FusedCgWorkspace {
  static constexpr int check_every = 25;  ///< iterations between two looks of the host at the residual

  explicit FusedCgWorkspace(std::size_t size)
      : r(make_zeros<Real>("solver/cg/r", size)),
        p(make_zeros<Real>("solver/cg/p", size)),
        q(make_zeros<Real>("solver/cg/q", size)),
        scalars("solver/cg/scalars", 3 * (check_every + 1)),
        limit("solver/cg/limit", 1) {}
  /// r . r and r . z before iteration i of those between two looks, p . A p of it.
  double* slot(int i) const { return scalars.data() + 3 * i; }

  Vector<Real> r, p, q;
  Vector<double> scalars, limit;  ///< `limit`: r . r that is small enough
  Replay iterations;
  const Real* replayed = nullptr;  ///< x of the iterations kept
};

namespace detail {

/// x += alpha p, r -= alpha q, q = 0 where the operator needs that, alpha = r_z / p_q of an iteration, 0 once
/// r . r <= limit: x stays as it is while the host has not seen yet that it is the solution. Sums: r . r and r . z of
/// the new r. 6 or 7 words an entry.
template <class Real, PointwisePreconditioner<Real> M>
struct UpdateResidual {
  static constexpr int waves = 8;
  const double *scalars, *limit;  ///< r . r, r . z, p . A p
  M m;
  const Real* p;
  Real *x, *r, *q;
  bool zero_q;
  Real alpha;
  struct Entry {
    Real x, r;
  };
  KOKKOS_FUNCTION UpdateResidual prepared() const {
    UpdateResidual body = *this;
    body.alpha = scalars[0] > *limit ? static_cast<Real>(scalars[1] / scalars[2]) : Real(0);
    return body;
  }
  KOKKOS_FUNCTION Entry load(std::size_t i) const { return {x[i] + alpha * p[i], r[i] - alpha * q[i]}; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    x[i] = entry.x;
    r[i] = entry.r;
    if (zero_q) q[i] = 0;
    add(0, double(entry.r) * double(entry.r));
    add(1, double(entry.r) * double(m.at(i, entry.r)));
  }
};

/// p = z + beta p, beta = r_z after an iteration over that before it; p = z where there is none. 3 words an entry.
template <class Real, PointwisePreconditioner<Real> M>
struct UpdateDirection {
  const double *before, *after;
  M m;
  const Real* r;
  Real* p;
  Real beta;
  KOKKOS_FUNCTION UpdateDirection prepared() const {
    UpdateDirection body = *this;
    body.beta = before ? static_cast<Real>(after[1] / before[1]) : Real(0);
    return body;
  }
  KOKKOS_FUNCTION Real load(std::size_t i) const { return m.at(i, r[i]) + beta * p[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    p[i] = value;
  }
};

/// Updates x and r by the scalars at `before` and p by the sums at `after`; p = z where `before` is null.
template <class Real, PointwisePreconditioner<Real> M>
void update(const FusedCgWorkspace<Real>& work, const M& m, const Vector<Real>& x, const double* before, double* after,
            bool zero_q) {
  const std::size_t n = x.extent(0);
  // before the first iteration the limit stands in for scalars of which none is above it
  streaming::sum_entries<2>("solver/cg/update", n,
                            UpdateResidual<Real, M>{before ? before : work.limit.data(), work.limit.data(), m,
                                                    work.p.data(), x.data(), work.r.data(), work.q.data(), zero_q, 0},
                            after);
  streaming::for_entries("solver/cg/direction", n,
                         UpdateDirection<Real, M>{before, after, m, work.r.data(), work.p.data(), 0});
}

/// `count` iterations from the scalars at slot 0 on.
template <class Real, LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
void iterate(const Operator& A, const M& m, const Vector<Real>& x, const FusedCgWorkspace<Real>& work, int count) {
  for (int i = 0; i < count; ++i) {
    apply_to_zero<Real>(A, work.p, work.q, work.slot(i) + 2);
    update(work, m, x, work.slot(i), work.slot(i + 1), needs_zeros(A));
  }
}

/// The same, as one replay where it is a whole turn between two looks of the host.
template <class Real, LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
void run(const Operator& A, const M& m, const Vector<Real>& x, FusedCgWorkspace<Real>& work, int count) {
  if constexpr (requires { A.can_replay(); }) {
    if (count == work.check_every && A.can_replay()) {
      if (work.replayed != x.data()) work.iterations.reset();
      work.replayed = x.data();
      return work.iterations.run([&] { iterate<Real>(A, m, x, work, count); });
    }
  }
  iterate<Real>(A, m, x, work, count);
}

}  // namespace detail

/// The same iteration as cg(), in three passes: q = A p with p . q; x, r, their sums and, where A adds to q, its zeros;
/// p. Scalars stay on the device, which runs on for check_every iterations, replayed where the operator allows it,
/// before the host looks at the residuals; x stops at the first that is small enough, so that iterations and result are
/// those of cg(). z is never stored. Traffic of an iteration in words an entry, beside A and M: update 6 or 7,
/// direction 3, and p . q 2 where A does not compute it. Errors: as cg().
template <class Real, LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult fused_cg(const Operator& A, const M& m, const Vector<const Real>& b, const Vector<Real>& x,
                  FusedCgWorkspace<Real>& work, const CgOptions& options) {
  const ExecutionSpace space;
  Kokkos::deep_copy(space, x, Real(0));
  Kokkos::deep_copy(space, work.p, Real(0));
  Kokkos::deep_copy(space, work.q, Real(0));
  streaming::copy<Real>(b, work.r);
  Kokkos::deep_copy(space, work.limit, 0.0);
  detail::update<Real>(work, m, x, nullptr, work.slot(0), needs_zeros(A));

  const auto host = Kokkos::create_mirror(work.scalars);
  Kokkos::deep_copy(host, work.scalars);
  const double norm_b = std::sqrt(host(0)), limit = std::pow(options.tolerance * norm_b, 2);
  Kokkos::deep_copy(space, work.limit, limit);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  result.converged = norm_b == 0;
  while (!result.converged && result.iterations < options.max_iterations) {
    const int count = std::min(work.check_every, options.max_iterations - result.iterations);
    if (result.iterations > 0)
      Kokkos::deep_copy(space, slice(work.scalars, 0, 3), slice(work.scalars, 3 * work.check_every, 3));
    detail::run<Real>(A, m, x, work, count);
    Kokkos::deep_copy(host, work.scalars);
    for (int i = 0; i < count && !result.converged; ++i) {
      const double r_z = host(3 * i + 1), p_q = host(3 * i + 2), r_r = host(3 * i + 3);
      require_positive(p_q, r_z, result.iterations + 1);
      ++result.iterations;
      result.residuals.push_back(std::sqrt(r_r) / norm_b);
      if (options.progress) options.progress(result.iterations, result.residuals.back());
      result.converged = r_r <= limit;
    }
  }
  result.relative_residual = result.residuals.back();
  return result;
}

}  // namespace miniapp::solver
