// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/core/detail/replay.hpp"
#include "miniapp/solver/cg.hpp"

namespace miniapp::solver {

/// Vectors of an iteration, r, p, q = A p and dx as in CgWorkspace, and the scalars of the iterations that the device
/// runs without the host. A workspace serves one operator and one preconditioner, since it stores their captured
/// iterations.
template <class Real>
struct FusedCgWorkspace {
  static constexpr int check_every = 25;  ///< iterations between two checks of the residual by the host

  explicit FusedCgWorkspace(std::size_t size)
      : r(make_zeros<Real>("solver/cg/r", size)),
        p(make_zeros<Real>("solver/cg/p", size)),
        q(make_zeros<Real>("solver/cg/q", size)),
        dx(make_zeros<Real>("solver/cg/dx", size)),
        scalars("solver/cg/scalars", 3 * (check_every + 1)),
        limit("solver/cg/limit", 1) {}
  /// r . r and r . z before iteration i since the last check, and its p . A p.
  double* slot(int i) const { return scalars.data() + 3 * i; }

  Vector<Real> r, p, q, dx;
  Vector<double> scalars, limit;  ///< `limit`: the r . r at which the iteration stops
  Replay iterations;
};

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

/// p = z + beta p, beta = r_z after an iteration / r_z before it; p = z in the first iteration. p no longer changes
/// once r . r before the iteration was <= limit. 3 words per entry.
template <class Real, PointwisePreconditioner<Real> M>
struct UpdateDirection {
  const double *before, *after, *limit;
  M m;
  const Real* r;
  Real* p;
  bool moves;
  Real beta;
  KOKKOS_FUNCTION UpdateDirection prepared() const {
    UpdateDirection body = *this;
    body.moves = !before || before[0] > *limit;
    body.beta = before ? static_cast<Real>(after[1] / before[1]) : Real(0);
    return body;
  }
  KOKKOS_FUNCTION Real load(std::size_t i) const {
    const Real old = p[i], moved = m.at(i, r[i]) + beta * old;
    return moves ? moved : old;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    p[i] = value;
  }
};

/// r = b - q, q = A x; p is updated from the old z to the new one; q = 0 where the operator needs that. Sums: r . r, r
/// . z and p . r.
template <class Real, PointwisePreconditioner<Real> M>
struct ReplaceResidual {
  static constexpr int waves = 8;
  M m;
  const Real* b;
  Real *r, *p, *q;
  bool zero_q;
  struct Entry {
    Real r, p;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const {
    const Real actual = b[i] - q[i];
    return {actual, p[i] + (m.at(i, actual) - m.at(i, r[i]))};
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    r[i] = entry.r;
    p[i] = entry.p;
    if (zero_q) q[i] = 0;
    add(0, double(entry.r) * double(entry.r));
    add(1, double(entry.r) * double(m.at(i, entry.r)));
    add(2, double(entry.r) * double(entry.p));
  }
};

struct ReplacedSums {
  double r_r, r_z, p_r;
};

/// x += dx, dx = 0, r = b - A x, and p is updated accordingly.
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
ReplacedSums replace_residual(const Instance& instance, const Operator& A, const M& m, const Vector<const Real>& b,
                              const Vector<Real>& x, const FusedCgWorkspace<Real>& work) {
  linalg::axpby<Real>(instance, Real(1), work.dx, Real(1), x);
  Kokkos::deep_copy(instance.space(), work.dx, Real(0));
  linalg::apply<Real>(instance, A, x, work.q);
  const auto sums = slice(work.scalars, 3 * work.check_every, 3);
  linalg::sum_entries<3>(
      instance, A.space(), "solver/cg/replace",
      ReplaceResidual<Real, M>{m, b.data(), work.r.data(), work.p.data(), work.q.data(), linalg::needs_zeros(A)},
      sums.data());
  const auto host = Kokkos::create_mirror(sums);
  Kokkos::deep_copy(instance.space(), host, sums);
  instance.fence();
  return {host(0), host(1), host(2)};
}

/// p = z + beta p from the sums before and after an iteration; p = z where `before` is null.
template <class Real, PointwisePreconditioner<Real> M>
void update_direction(const Instance& instance, const space::Space& space, const FusedCgWorkspace<Real>& work,
                      const M& m, const double* before, const double* after) {
  linalg::for_entries(
      instance, space, "solver/cg/direction",
      UpdateDirection<Real, M>{before, after, work.limit.data(), m, work.r.data(), work.p.data(), false, 0});
}

/// Updates dx and r with the scalars at `before` and p with the sums at `after`; p = z where `before` is null.
template <class Real, PointwisePreconditioner<Real> M>
void update(const Instance& instance, const space::Space& space, const FusedCgWorkspace<Real>& work, const M& m,
            const double* before, double* after, bool zero_q) {
  const double* const limit = work.limit.data();
  // before the first iteration, `limit` serves as dummy scalars, none of which is above it
  linalg::sum_entries<2>(instance, space, "solver/cg/update",
                         UpdateResidual<Real, M>{before ? before : limit, limit, m, work.p.data(), work.dx.data(),
                                                 work.r.data(), work.q.data(), zero_q, false, 0},
                         after);
  update_direction(instance, space, work, m, before, after);
}

/// Runs `count` iterations, starting from the scalars in slot 0.
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
void iterate(const Instance& instance, const Operator& A, const M& m, const FusedCgWorkspace<Real>& work, int count) {
  for (int i = 0; i < count; ++i) {
    linalg::apply_to_zero<Real>(instance, A, work.p, work.q, work.slot(i) + 2);
    update(instance, A.space(), work, m, work.slot(i), work.slot(i + 1), linalg::needs_zeros(A));
  }
}

/// The same, as one replay if `count` is the full number between two checks by the host.
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
void run(const Instance& instance, const Operator& A, const M& m, FusedCgWorkspace<Real>& work, int count) {
  if constexpr (requires { A.can_replay(); }) {
    if (count == work.check_every && A.can_replay())
      return work.iterations.run(instance, [&] { iterate<Real>(instance, A, m, work, count); });
  }
  iterate<Real>(instance, A, m, work, count);
}

}  // namespace detail

/// The same iteration as cg(), in three passes: q = A p with p . q; dx, r and their sums, and q = 0 where A adds to q;
/// p. Scalars stay on the device, which runs check_every iterations (as one replay where the operator allows it) before
/// the host checks the residuals. dx, r and p stop changing at the first residual that is small enough, so that
/// iterations and result are those of cg(). z is never stored. Traffic per iteration in words per entry, without A and
/// M: update 6 or 7, direction 3, and p . q 2 where A does not compute it. Errors: as cg().
template <class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult fused_cg(const Instance& instance, const Operator& A, const M& m, const Vector<const Real>& b,
                  const Vector<Real>& x, FusedCgWorkspace<Real>& work, const CgOptions& options) {
  const ExecutionSpace& space = instance.space();
  Kokkos::deep_copy(space, x, Real(0));
  Kokkos::deep_copy(space, work.dx, Real(0));
  Kokkos::deep_copy(space, work.p, Real(0));
  Kokkos::deep_copy(space, work.q, Real(0));
  linalg::copy<Real>(instance, b, work.r);
  Kokkos::deep_copy(space, work.limit, 0.0);
  detail::update<Real>(instance, A.space(), work, m, nullptr, work.slot(0), linalg::needs_zeros(A));

  const auto host = Kokkos::create_mirror(work.scalars);
  Kokkos::deep_copy(space, host, work.scalars);
  instance.fence();
  const double norm_b = finite_norm(host(0)), limit = std::pow(options.tolerance * norm_b, 2);
  Kokkos::deep_copy(space, work.limit, limit);
  auto reliable = ReliableResidual::of<Real>(options.tolerance);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  double actual = result.residuals.back();
  bool ended = norm_b == 0;
  while (!ended && result.iterations < options.max_iterations) {
    const int count = std::min(work.check_every, options.max_iterations - result.iterations);
    if (result.iterations > 0)
      Kokkos::deep_copy(space, slice(work.scalars, 0, 3), slice(work.scalars, 3 * work.check_every, 3));
    detail::run<Real>(instance, A, m, work, count);
    Kokkos::deep_copy(space, host, work.scalars);
    instance.fence();
    for (int i = 0; i < count; ++i) {
      const double r_z = host(3 * i + 1), p_q = host(3 * i + 2), r_r = host(3 * i + 3);
      require_positive(p_q, r_z, result.iterations + 1);
      ++result.iterations;
      result.residuals.push_back(std::sqrt(r_r) / norm_b);
      if (options.progress) options.progress(result.iterations, result.residuals.back());
      reliable.see(result.residuals.back(), r_r <= limit);
      ended = r_r == 0 && options.tolerance == 0;
      if (r_r <= limit) break;  // the same test as on the device
    }
    if (reliable.due()) {
      const detail::ReplacedSums sums = detail::replace_residual<Real>(instance, A, m, b, x, work);
      actual = std::sqrt(sums.r_r) / norm_b;
      ended = reliable.replace(actual, [&] { return estimate_floor<Real>(instance, A, x, work.dx, work.q) / norm_b; });
      const bool keeps = ReliableResidual::keeps_direction(sums.p_r, sums.r_z);
      if (!keeps) detail::update_direction<Real>(instance, A.space(), work, m, nullptr, nullptr);
      // where the next step reads them
      Kokkos::deep_copy(space, slice(work.scalars, 3 * work.check_every + 1, 1), keeps ? sums.p_r : sums.r_z);
    }
  }
  result.relative_residual = result.residuals.back();
  if (options.tolerance == 0) {
    linalg::axpby<Real>(instance, Real(1), work.dx, Real(1), x);
    result.true_relative_residual = std::nan("");
    return result;
  }
  if (!ended) actual = std::sqrt(detail::replace_residual<Real>(instance, A, m, b, x, work).r_r) / norm_b;
  conclude<Real>(instance, A, x, work.r, work.q, norm_b, actual, ended, reliable, result);
  return result;
}

}  // namespace miniapp::solver
