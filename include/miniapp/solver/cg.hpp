// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/solver/preconditioner.hpp"
#include "miniapp/solver/reliable_residual.hpp"

namespace miniapp::solver {

struct CgOptions {
  /// Stop when |r| <= tolerance |b|. If 0, runs exactly max_iterations iterations without any checks, for timing.
  double tolerance = 1e-10;
  int max_iterations = 10000;                                             ///< largest number of iterations
  std::function<void(int iteration, double relative_residual)> progress;  ///< called after every iteration, if set
};

struct CgResult {
  int iterations = 0;
  double relative_residual = 0;       ///< |r| / |b| of the recurrence
  double true_relative_residual = 0;  ///< |b - A x| / |b|; NaN where the tolerance is 0
  double floor = 0;      ///< the smallest |b - A x| / |b| attainable at this precision, see estimate_floor()
  int replacements = 0;  ///< how often the recurrence was replaced by b - A x
  Verdict verdict = Verdict::unconverged;
  std::vector<double> residuals;  ///< |r| / |b| before the first and after each iteration

  /// Or stagnated at the floor of the precision.
  bool converged() const { return verdict == Verdict::converged || verdict == Verdict::stagnated; }
};

/// Errors: ResultError unless both are positive.
inline void require_positive(double p_q, double r_z, int iteration) {
  if (!(p_q > 0) || !(r_z > 0))
    throw ResultError(
        "CG broke down in iteration " + std::to_string(iteration) + ": " + (p_q > 0 ? "r . z" : "p . A p") +
        " is not positive; the operator or the preconditioner is not positive definite, or data hold NaN");
}

/// |b| from b . b. Errors: ResultError where it is not finite.
inline double finite_norm(double b_b) {
  if (!std::isfinite(b_b))
    throw ResultError("CG broke down in iteration 1: b . b is not finite; b holds NaN or numbers too large to square");
  return std::sqrt(b_b);
}

/// Vectors that an iteration needs in addition to b and x: r, p, q = A p and z; dx, the change of x since r was last
/// replaced by b - A x.
template <class Real>
struct CgWorkspace {
  explicit CgWorkspace(std::size_t size, bool preconditioned)
      : r(make_zeros<Real>("solver/cg/r", size)),
        p(make_zeros<Real>("solver/cg/p", size)),
        q(make_zeros<Real>("solver/cg/q", size)),
        z(make_zeros<Real>("solver/cg/z", preconditioned ? size : 0)),
        dx(make_zeros<Real>("solver/cg/dx", size)) {}
  Vector<Real> r, p, q, z, dx;
};

/// Ends a solve: computes b - A x and the verdict. Overwrites r and q.
template <class Real, linalg::LinearOperator<Real> Operator>
void conclude(const Instance& instance, const Operator& A, const Vector<Real>& x, const Vector<Real>& r,
              const Vector<Real>& q, double norm_b, double actual, bool ended, const ReliableResidual& reliable,
              CgResult& result) {
  result.true_relative_residual = actual;
  result.floor = norm_b > 0 ? estimate_floor<Real>(instance, A, x, r, q) / norm_b : 0;
  result.replacements = reliable.replacements();
  result.verdict = reliable.verdict(actual, result.floor, ended);
}

/// Solves A x = b by preconditioned conjugate gradients from x = 0 (Hestenes and Stiefel 1952). The residual of the
/// recurrence is replaced by b - A x from time to time, and the verdict is about b - A x (reliable_residual.hpp).
/// Where M is not symmetric it is flexible: the next direction is conjugate to the last one whatever M is, beta =
/// z . (r - r_before) / (z . r)_before = -z . q / (p . q) (Y. Notay, Flexible conjugate gradients, SIAM J. Sci. Comput.
/// 22 (2000) 1444-1460).
/// Traffic per iteration in words per entry, without A and M: dot 2, update 6, direction 3; flexible 2 more.
/// Errors: ResultError where p . A p or r . z is not positive (A or M is not positive definite, or data contain NaN),
/// or b . b is not finite.
template <class Real, linalg::LinearOperator<Real> Operator, Preconditioner<Real> M>
CgResult cg(const Instance& instance, const Operator& A, const M& preconditioner, const Vector<const Real>& b,
            const Vector<Real>& x, CgWorkspace<Real>& work, const CgOptions& options) {
  const auto& [r, p, q, z, dx] = work;
  const space::Space& space = A.space();
  Kokkos::deep_copy(instance.space(), x, Real(0));
  Kokkos::deep_copy(instance.space(), dx, Real(0));
  linalg::copy<Real>(instance, b, r);
  double r_r = linalg::dot<Real>(instance, space, r, r);
  const double norm_b = finite_norm(r_r);
  auto reliable = ReliableResidual::of<Real>(options.tolerance);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  double actual = result.residuals.back();
  bool ended = norm_b == 0;
  double r_z = preconditioner.apply(instance, space, Vector<const Real>(r), z, r_r);
  linalg::copy<Real>(instance, preconditioner.result(Vector<const Real>(r), z), p);
  while (!ended && result.iterations < options.max_iterations) {
    linalg::apply<Real>(instance, A, p, q);
    const double p_q = linalg::dot<Real>(instance, space, p, q);
    require_positive(p_q, r_z, result.iterations + 1);
    r_r = linalg::update<Real>(instance, space, static_cast<Real>(r_z / p_q), p, q, dx, r);
    ++result.iterations;
    result.residuals.push_back(std::sqrt(r_r) / norm_b);
    if (options.progress) options.progress(result.iterations, result.residuals.back());
    reliable.see(result.residuals.back(), result.residuals.back() <= options.tolerance);
    if (reliable.has_diverged()) break;
    ended = r_r == 0 && options.tolerance == 0;
    const bool replaces = reliable.due();
    if (replaces) {
      r_r = replace_residual<Real>(instance, A, b, x, dx, r, q);
      actual = std::sqrt(r_r) / norm_b;
      ended = reliable.replace(actual, [&] { return estimate_floor<Real>(instance, A, x, work.dx, work.q) / norm_b; });
    }
    const double r_z_before = r_z;
    r_z = preconditioner.apply(instance, space, Vector<const Real>(r), z, r_r);
    const auto M_r = preconditioner.result(Vector<const Real>(r), z);
    const bool flexible = !is_symmetric(preconditioner) && !replaces;  // replacing overwrites q
    const double beta = flexible ? -linalg::dot<Real>(instance, space, M_r, q) / p_q : r_z / r_z_before;
    linalg::axpby<Real>(instance, Real(1), M_r, static_cast<Real>(beta), p);
    if (!replaces) continue;
    const double p_r = linalg::dot<Real>(instance, space, p, r);
    if (ReliableResidual::keeps_direction(p_r, r_z))
      r_z = p_r;
    else
      linalg::copy<Real>(instance, M_r, p);
  }
  result.relative_residual = result.residuals.back();
  if (options.tolerance == 0) {
    linalg::axpby<Real>(instance, Real(1), dx, Real(1), x);
    result.true_relative_residual = std::nan("");
    return result;
  }
  if (!ended) actual = std::sqrt(replace_residual<Real>(instance, A, b, x, dx, r, q)) / norm_b;
  conclude<Real>(instance, A, x, r, q, norm_b, actual, ended, reliable, result);
  return result;
}

}  // namespace miniapp::solver
