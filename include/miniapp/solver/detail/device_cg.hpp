// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/core/detail/replay.hpp"
#include "miniapp/solver/cg.hpp"

/// What fused and pipelined CG share: iterations whose scalars stay on the device, checks by the host now and then.
namespace miniapp::solver {

/// Vectors of an iteration, r, p, q = A p and dx as in CgWorkspace, and the scalars of the iterations that the device
/// runs without the host. A workspace serves one operator and one preconditioner, since it stores their captured
/// iterations.
template <class Real>
struct DeviceCgWorkspace {
  static constexpr int slot_size = 5;
  /// After each iteration on a host, where a check costs nothing; on a GPU it costs as much as an iteration of a small
  /// system.
  static constexpr int usual_check_every = runs_on_host ? 1 : 25;

  /// The host checks the residual after `check_every` iterations.
  explicit DeviceCgWorkspace(std::size_t size, int check_every_ = usual_check_every)
      : check_every(check_every_),
        r(make_zeros<Real>("solver/cg/r", size)),
        p(make_zeros<Real>("solver/cg/p", size)),
        q(make_zeros<Real>("solver/cg/q", size)),
        dx(make_zeros<Real>("solver/cg/dx", size)),
        scalars(make_zeros<double>("solver/cg/scalars", std::size_t(slot_size) * (check_every_ + 1))),
        limit(make_zeros<double>("solver/cg/limit", 1)) {}
  /// r . r and r . z before iteration i since the last check, and its p . A p. Where vectors are updated together, also
  /// A p . M^-1 A p; where that is done between the elements, also A p . M^-1 r.
  double* slot(int i) const { return scalars.data() + slot_size * i; }
  /// Where the last iteration between two checks leaves what the next one starts from.
  Vector<double> last_slot() const { return slice(scalars, std::size_t(slot_size) * check_every, slot_size); }

  int check_every;
  Vector<Real> r, p, q, dx;
  Vector<double> scalars, limit;  ///< `limit`: the r . r at which the iteration stops
  Replay iterations;
  std::int64_t updates = 0;  ///< A.updates() when the iterations were captured
};

namespace detail {

/// r . r, r . z and p . A p of an iteration.
struct CgScalars {
  double r_r, r_z, p_q;
};

/// Whether a step alpha p that dx was to take with the next one is taken when the direction is computed: after the last
/// iteration, and where beta is so small that the next one would find p from its successor with few digits.
KOKKOS_INLINE_FUNCTION bool is_taken_at_once(const CgScalars& before, const CgScalars& after, double limit) {
  return after.r_r <= limit || after.r_z < 0.1 * before.r_z;
}

/// p = z + beta p, beta = r_z after an iteration / r_z before it; p = z in the first iteration. p no longer changes
/// once r . r before the iteration was <= limit. dx += alpha p where UpdateResidual `defers` steps and left one that
/// is_taken_at_once(). 3 words per entry.
template <class Real, PointwisePreconditioner<Real> M, bool defers = !runs_on_host>
struct UpdateDirection {
  const double *before, *after, *limit;
  M m;
  const Real* r;
  Real *p, *left_dx;  ///< null: no step was left
  bool moves, takes_step;
  Real alpha, beta;
  struct Entry {
    Real p, dx;
  };
  KOKKOS_FUNCTION UpdateDirection prepared() const {
    if (before) return prepared({before[0], before[1], before[2]}, {after[0], after[1], 0});
    UpdateDirection body = *this;
    body.moves = true;
    body.takes_step = false;
    body.beta = 0;
    return body;
  }
  KOKKOS_FUNCTION UpdateDirection prepared(const CgScalars& old, const CgScalars& now) const {
    UpdateDirection body = *this;
    body.moves = old.r_r > *limit;
    body.takes_step = defers && left_dx && body.moves && is_taken_at_once(old, now, *limit);
    body.alpha = static_cast<Real>(old.r_z / old.p_q);
    body.beta = static_cast<Real>(now.r_z / old.r_z);
    return body;
  }
  KOKKOS_FUNCTION auto load(std::size_t i) const {
    if constexpr (defers) {
      return next(i, r[i], p[i]);
    } else {
      const Real old = p[i], moved = m.at(i, r[i]) + beta * old;
      return moves ? moved : old;
    }
  }
  KOKKOS_FUNCTION Entry next(std::size_t i, Real residual, Real old) const {
    const Real moved = m.at(i, residual) + beta * old;
    return {moves ? moved : old, takes_step ? left_dx[i] + alpha * old : Real(0)};
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add&) const {
    p[i] = entry.p;
    if (takes_step) left_dx[i] = entry.dx;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    p[i] = value;
  }
};

/// p = z.
template <class Real, PointwisePreconditioner<Real> M>
void reset_direction(const Instance& instance, const space::Space& space, const DeviceCgWorkspace<Real>& work,
                     const M& m) {
  linalg::for_entries(instance, space, "solver/cg/direction",
                      UpdateDirection<Real, M>{nullptr, nullptr, work.limit.data(), m, work.r.data(), work.p.data(),
                                               nullptr, false, false, 0, 0});
}

/// dx += alpha p, r -= alpha q, p = z + beta p, q = 0 where the operator needs that; alpha = r_z / p_q, and beta is the
/// new r . z over the old one: (r_z - 2 alpha r_Mq + alpha^2 q_Mq) / r_z. Without a sum r_Mq it is taken to be p . q,
/// which it is but for rounding. Once r . r <= limit nothing changes. Sums: r . r and r . z of the new r. 7 or 8 words
/// per entry.
template <class Real, PointwisePreconditioner<Real> M>
struct UpdateAll {
  static constexpr int waves = 8;
  const double *scalars, *limit;  ///< r . r, r . z, p . q, q . M^-1 q; with `has_r_mq` also r . M^-1 q
  M m;
  Real *p, *dx, *r, *q;
  bool zero_q, has_r_mq, moves;
  Real alpha, beta;
  struct Entry {
    Real dx, r, p;
  };
  KOKKOS_FUNCTION UpdateAll prepared() const {
    UpdateAll body = *this;
    const double r_z = scalars[1], step = r_z / scalars[2];
    const double subtracted = has_r_mq ? 2 * step * scalars[4] - r_z : r_z;  // 2 alpha r_Mq - r_z
    const double ratio = (step * step * scalars[3] - subtracted) / r_z;
    body.moves = scalars[0] > *limit;
    body.alpha = static_cast<Real>(step);
    body.beta = ratio > 0 ? static_cast<Real>(ratio) : Real(0);  // not positive by rounding alone
    return body;
  }
  /// Each number is chosen by itself: of a choice between two structures the compiler makes scalar code.
  KOKKOS_FUNCTION Entry load(std::size_t i) const {
    const Real old_dx = dx[i], old_r = r[i], old_p = p[i];
    const Real new_dx = old_dx + alpha * old_p, new_r = old_r - alpha * q[i], new_p = m.at(i, new_r) + beta * old_p;
    return {moves ? new_dx : old_dx, moves ? new_r : old_r, moves ? new_p : old_p};
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    dx[i] = entry.dx;
    r[i] = entry.r;
    p[i] = entry.p;
    if (zero_q) q[i] = 0;
    add(0, double(entry.r) * double(entry.r));
    add(1, double(entry.r) * double(m.at(i, entry.r)));
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
                              const Vector<Real>& x, const DeviceCgWorkspace<Real>& work) {
  linalg::axpby<Real>(instance, Real(1), work.dx, Real(1), x);
  fill(instance, work.dx, 0);
  linalg::apply<Real>(instance, A, x, work.q);
  const auto sums = slice(work.last_slot(), 0, 3);
  linalg::sum_entries<3>(
      instance, A.space(), "solver/cg/replace",
      ReplaceResidual<Real, M>{m, b.data(), work.r.data(), work.p.data(), work.q.data(), linalg::needs_zeros(A)},
      sums.data());
  const auto host = Kokkos::create_mirror(sums);
  Kokkos::deep_copy(instance.space(), host, sums);
  instance.fence();
  return {host(0), host(1), host(2)};
}

/// Runs `count` iterations of `method`, as one replay if that is the full number between two checks by the host.
template <class Method, class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
void run(const Instance& instance, const Operator& A, const M& m, DeviceCgWorkspace<Real>& work, int count) {
  const auto iterate = [&] {
    for (int i = 0; i < count; ++i) Method::iterate(instance, A, m, work, i, count);
  };
  if constexpr (requires { A.updates(); }) {
    if (work.updates != A.updates()) work.iterations.reset();
    work.updates = A.updates();
  }
  if constexpr (requires { A.can_replay(); }) {
    if (count == work.check_every && A.can_replay() && !A.space().exchange.waits())
      return work.iterations.run(instance, iterate);
  }
  iterate();
}

/// CG by a method that has two functions. begin(instance, A, m, work, slot) is called where p and r hold what they
/// should and the slot has r . r and r . z: it sets the rest of the slot. iterate(instance, A, m, work, i, count) runs
/// iteration i of `count` with the scalars of slot i, and leaves those of the next. After the last one dx is complete.
///
/// dx, r and p stop changing at the first residual that is small enough, whenever the host checks. Errors: as cg().
template <class Method, class Real, linalg::LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult solve_on_device(const Instance& instance, const Operator& A, const M& m, const Vector<const Real>& b,
                         const Vector<Real>& x, DeviceCgWorkspace<Real>& work, const CgOptions& options) {
  constexpr int slot_size = DeviceCgWorkspace<Real>::slot_size;
  const ExecutionSpace& space = instance.space();
  linalg::require_vectors(A.space(), {{"b", b.extent(0)}, {"x", x.extent(0)}, {"work", work.r.extent(0)}});
  fill(instance, x, 0);
  fill(instance, work.dx, 0);
  fill(instance, work.p, 0);
  fill(instance, work.q, 0);
  fill(instance, work.r, 0);
  fill(instance, work.limit, 0);
  const double norm_b = [&] {
    linalg::sum_entries<3>(
        instance, A.space(), "solver/cg/begin",
        ReplaceResidual<Real, M>{m, b.data(), work.r.data(), work.p.data(), work.q.data(), linalg::needs_zeros(A)},
        work.slot(0));
    Method::begin(instance, A, m, work, work.slot(0));
    double b_b = 0;
    Kokkos::deep_copy(space, b_b, Kokkos::subview(work.scalars, 0));
    instance.fence();
    return norm_of_right_side<Real>(instance, A.space(), b, b_b, x);
  }();
  const double limit = std::pow(options.tolerance * norm_b, 2);
  fill(instance, work.limit, limit);
  const auto host = Kokkos::create_mirror(work.scalars);
  auto reliable = ReliableResidual::of<Real>(options.tolerance);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  double actual = result.residuals.back();
  bool ended = norm_b == 0, given_up = false;
  while (!ended && result.iterations < options.max_iterations) {
    const int count = std::min(work.check_every, options.max_iterations - result.iterations);
    if (result.iterations > 0) copy_entries(instance, slice(work.scalars, 0, slot_size), work.last_slot());
    run<Method, Real>(instance, A, m, work, count);
    Kokkos::deep_copy(space, host, work.scalars);
    instance.fence();
    for (int i = 0; i < count; ++i) {
      const double r_z = host(slot_size * i + 1), p_q = host(slot_size * i + 2), r_r = host(slot_size * (i + 1));
      require_positive(p_q, r_z, result.iterations + 1);
      ++result.iterations;
      result.residuals.push_back(std::sqrt(r_r) / norm_b);
      if (options.progress) options.progress(result.iterations, result.residuals.back());
      reliable.see(result.residuals.back(), r_r <= limit);
      ended = r_r == 0 && options.tolerance == 0;
      if (r_r <= limit) break;  // the same test as on the device
      given_up = options.gives_up && options.gives_up(result.residuals);
      if (given_up) break;
    }
    if (given_up || reliable.has_diverged()) break;
    if (reliable.due()) {
      const ReplacedSums sums = replace_residual<Real>(instance, A, m, b, x, work);
      actual = std::sqrt(sums.r_r) / norm_b;
      ended = reliable.replace(actual, [&] { return estimate_floor<Real>(instance, A, x, work.dx, work.q) / norm_b; });
      const bool keeps = ReliableResidual::keeps_direction(sums.p_r, sums.r_z);
      if (!keeps) reset_direction<Real>(instance, A.space(), work, m);
      // where the next step reads them
      fill(instance, slice(work.last_slot(), 1, 1), keeps ? sums.p_r : sums.r_z);
      if (!ended) Method::begin(instance, A, m, work, work.slot(work.check_every));
    }
  }
  result.relative_residual = result.residuals.back();
  if (options.tolerance == 0) {
    linalg::axpby<Real>(instance, Real(1), work.dx, Real(1), x);
    result.true_relative_residual = std::nan("");
    return result;
  }
  if (!ended) actual = std::sqrt(replace_residual<Real>(instance, A, m, b, x, work).r_r) / norm_b;
  conclude<Real>(instance, A, x, work.r, work.q, norm_b, actual, ended, reliable, result);
  return result;
}

}  // namespace detail
}  // namespace miniapp::solver
