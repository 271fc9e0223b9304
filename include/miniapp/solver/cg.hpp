// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <optional>
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
  /// Called with CgResult::residuals after every iteration that did not meet the tolerance, if set: the solve ends
  /// where it returns true.
  std::function<bool(const std::vector<double>& residuals)> gives_up = {};
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

namespace detail {

/// x += alpha p, r -= alpha q, single = r; r . r. 6.5 words of 8 bytes per entry.
template <class Real>
struct UpdateInSingle : streaming::detail::Update<Real> {
  using Base = streaming::detail::Update<Real>;
  float* single;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const typename Base::Entry& entry, const Add& add) const {
    Base::finish(i, entry, add);
    single[i] = static_cast<float>(entry.r);
  }
};
/// r . z and q . z.
template <class Real>
struct TwoProducts {
  const Real *r, *q;
  const float* z;
  struct Entry {
    double r_z, q_z;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const { return {double(r[i]) * double(z[i]), double(q[i]) * double(z[i])}; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t, const Entry& entry, const Add& add) const {
    add(0, entry.r_z);
    add(1, entry.q_z);
  }
};
/// p = z + beta p.
template <class Real>
struct Redirect {
  Real beta;
  const float* z;
  Real* p;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return static_cast<Real>(z[i]) + beta * p[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    p[i] = value;
  }
};

/// What CG does with a preconditioner of each kind: z = M^-1 r stays where that leaves it.
template <class Real, class M>
class Preconditioning {
 public:
  Preconditioning(const Instance& instance, const space::Space& space, const M& m, const CgWorkspace<Real>& work)
      : instance_(instance), space_(space), m_(m), single_(in_single_precision(m)), work_(work) {}

  /// x += alpha p, r -= alpha q; returns r . r.
  double update(Real alpha) const {
    if (!single_) return linalg::update<Real>(instance_, space_, alpha, work_.p, work_.q, work_.dx, work_.r);
    UpdateInSingle<Real> body{{alpha, work_.p.data(), work_.q.data(), work_.dx.data(), work_.r.data()}, {}};
    body.single = single_->residual().data();
    return linalg::sum_all(instance_, space_, "solver/cg/update", body);
  }
  /// r was set otherwise than by update().
  void see_residual() const {
    if (single_)
      linalg::for_entries(instance_, space_, "solver/cg/round",
                          streaming::detail::Convert<Real, float>{work_.r.data(), single_->residual().data()});
  }
  struct Products {
    double r_z, q_z;
  };
  /// z = M^-1 r. q . z only where it `needs_q`.
  Products apply(double r_r, bool needs_q) const {
    if (single_) {
      single_->run(instance_);
      const TwoProducts<Real> body{work_.r.data(), work_.q.data(), single_->correction().data()};
      const auto sums = linalg::sum_all<2>(instance_, space_, "solver/cg/products", body);
      return {sums[0], sums[1]};
    }
    const double r_z = m_.apply(instance_, space_, Vector<const Real>(work_.r), work_.z, r_r);
    return {r_z, needs_q ? linalg::dot<Real>(instance_, space_, stored(), work_.q) : 0};
  }
  /// p = z + beta p.
  void redirect(Real beta) const {
    if (single_)
      linalg::for_entries(instance_, space_, "solver/cg/direction",
                          Redirect<Real>{beta, single_->correction().data(), work_.p.data()});
    else
      linalg::axpby<Real>(instance_, Real(1), stored(), beta, work_.p);
  }
  /// p = z + beta p, unless beta is absent, and q = A p; returns p . q. An operator that has_chunks() does both loops
  /// where its elements read p and have added to q.
  template <class Operator>
  double direct_and_multiply(const Operator& A, std::optional<Real> beta) const {
    if constexpr (linalg::may_have_chunks<Operator>)
      if (single_ && beta && A.has_chunks()) {
        double p_q = 0;
        linalg::apply_between<Real, 0, 1>(instance_, A, work_.p, work_.q,
                                          Redirect<Real>{*beta, single_->correction().data(), work_.p.data()},
                                          streaming::detail::Dot<Real>{work_.p.data(), work_.q.data()}, &p_q);
        instance_.fence();
        return p_q;
      }
    if (beta) redirect(*beta);
    linalg::apply<Real>(instance_, A, work_.p, work_.q);
    return linalg::dot<Real>(instance_, space_, work_.p, work_.q);
  }

 private:
  Vector<const Real> stored() const { return m_.result(Vector<const Real>(work_.r), work_.z); }

  const Instance& instance_;
  const space::Space& space_;
  const M& m_;
  const SinglePrecisionPreconditioner* const single_;
  const CgWorkspace<Real>& work_;
};

}  // namespace detail

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
/// Traffic per iteration in words per entry, without A and M: dot 2, update 6, direction 3; flexible 2 more. With M in
/// single precision, words of 8 bytes: dot 2, update 6.5, two products 2.5, direction 2.5. On hosts an operator that
/// has_chunks() computes p just before it reads it, and p . q is summed while q is in caches: 3 words less with A's.
/// Errors: ResultError where p . A p or r . z is not positive (A or M is not positive definite, or data contain NaN),
/// or b . b is not finite; InputError where b, x or the workspace is not of the size of A's space.
template <class Real, linalg::LinearOperator<Real> Operator, Preconditioner<Real> M>
CgResult cg(const Instance& instance, const Operator& A, const M& preconditioner, const Vector<const Real>& b,
            const Vector<Real>& x, CgWorkspace<Real>& work, const CgOptions& options) {
  const auto& [r, p, q, z, dx] = work;  // Preconditioning uses z
  const space::Space& space = A.space();
  const std::size_t stored = preconditioner.result(Vector<const Real>(r), z).extent(0);  // z has it, or r itself
  linalg::require_vectors(space, {{"b", b.extent(0)}, {"x", x.extent(0)}, {"work", r.extent(0)}});
  if (!solver::in_single_precision(preconditioner)) linalg::require_vectors(space, {{"work.z", stored}});
  fill(instance, x, 0);
  fill(instance, dx, 0);
  linalg::copy<Real>(instance, b, r);
  double r_r = linalg::dot<Real>(instance, space, r, r);
  const double norm_b = norm_of_right_side<Real>(instance, space, b, r_r, q);
  auto reliable = ReliableResidual::of<Real>(options.tolerance);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  double actual = result.residuals.back();
  bool ended = norm_b == 0;
  const detail::Preconditioning<Real, M> M_inverse(instance, space, preconditioner, work);
  fill(instance, q, 0);
  fill(instance, p, 0);
  M_inverse.see_residual();
  double r_z = M_inverse.apply(r_r, false).r_z;
  std::optional<Real> beta = Real(0);  // of the next direction, where it is not computed yet
  while (!ended && result.iterations < options.max_iterations) {
    const double p_q = M_inverse.direct_and_multiply(A, beta);
    require_positive(p_q, r_z, result.iterations + 1);
    r_r = M_inverse.update(static_cast<Real>(r_z / p_q));
    ++result.iterations;
    result.residuals.push_back(std::sqrt(r_r) / norm_b);
    if (options.progress) options.progress(result.iterations, result.residuals.back());
    const bool met = result.residuals.back() <= options.tolerance;
    reliable.see(result.residuals.back(), met);
    if (reliable.has_diverged()) break;
    if (!met && options.gives_up && options.gives_up(result.residuals)) break;
    ended = r_r == 0 && options.tolerance == 0;
    const bool replaces = reliable.due();
    if (replaces) {
      r_r = replace_residual<Real>(instance, A, b, x, dx, r, q);
      actual = std::sqrt(r_r) / norm_b;
      ended = reliable.replace(actual, [&] { return estimate_floor<Real>(instance, A, x, work.dx, work.q) / norm_b; });
      if (ended) break;
      M_inverse.see_residual();
    }
    const double r_z_before = r_z;
    const bool flexible = !is_symmetric(preconditioner) && !replaces;  // replacing overwrites q
    const auto products = M_inverse.apply(r_r, flexible);
    r_z = products.r_z;
    beta = static_cast<Real>(flexible ? -products.q_z / p_q : r_z / r_z_before);
    if (!replaces) continue;
    M_inverse.redirect(*beta);
    beta.reset();
    const double p_r = linalg::dot<Real>(instance, space, p, r);
    if (ReliableResidual::keeps_direction(p_r, r_z))
      r_z = p_r;
    else
      beta = Real(0);
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

/// With a workspace of its own.
template <class Real, linalg::LinearOperator<Real> Operator, Preconditioner<Real> M>
CgResult cg(const Instance& instance, const Operator& A, const M& preconditioner, const Vector<const Real>& b,
            const Vector<Real>& x, const CgOptions& options = {}) {
  CgWorkspace<Real> work(b.extent(0), !solver::in_single_precision(preconditioner));
  return cg<Real>(instance, A, preconditioner, b, x, work, options);
}

}  // namespace miniapp::solver
