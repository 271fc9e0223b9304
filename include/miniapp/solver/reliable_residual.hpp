// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/core/random_bits.hpp"
#include "miniapp/linalg/linear_operator.hpp"

/// Residual replacement for CG. By rounding, the residual of the recurrence drifts away from b - A x; verdicts are
/// about b - A x.
namespace miniapp::solver {

using miniapp::name;

/// The outcome of a solve, in terms of |b - A x| / |b|.
enum class Verdict {
  converged,    ///< at most `residual_slack` times the tolerance
  stagnated,    ///< above that, but at most `floor_slack` times the floor set by rounding: no solver gets further; and
                ///< at most `largest_stagnation`, so that x solves the system at all
  unconverged,  ///< none of these, or x is not finite, or max_iterations was reached
  diverged,     ///< above `largest_growth`
};
constexpr auto names(Verdict) { return std::array{"converged", "stagnated", "unconverged", "diverged"}; }

inline constexpr double residual_slack = 2, floor_slack = 10, at_floor = 4, above_floor = 30;

/// Where A is singular and b is not in its range, x grows along the null space, and with it the floor |A d|, without
/// bound: a residual at the floor says nothing then.
inline constexpr double largest_stagnation = 1e-3;

/// Beyond this |r| / |b| CG cannot solve the system in Real, whatever the preconditioner: since the energy norm of the
/// error e never grows, |A e| <= sqrt(|A| x . b) <= sqrt(|A| |x| / |b|) |b|. Where that is more than 1 / sqrt(u), u the
/// unit roundoff, the floor u |A| |x| is above |b|.
template <class Real>
inline const double largest_growth = 1 / std::sqrt(std::numeric_limits<Real>::epsilon() / 2);

/// Decides when the residual is replaced by b - A x, and when that no longer helps; all residuals are relative to |b|.
/// It is replaced when the recurrence has fallen by the factor `fall` from its largest value since the last
/// replacement, so that the rounding errors in between stay small in comparison: 1000 in double precision, 10 in
/// single. Near the floor set by rounding a replacement does harm, since it changes the residual by as much as the
/// residual itself: below `above_floor` times the floor the recurrence is not replaced until it reaches the tolerance
/// or the floor. Sources: G. Sleijpen,
/// H. van der Vorst, Reliable updated residuals in hybrid Bi-CG methods, Computing 56 (1996) 141-163; H. van der Vorst,
/// Q. Ye, Residual replacement strategies for Krylov subspace iterative methods, SIAM J. Sci. Comput. 22 (2000)
/// 835-852.
class ReliableResidual {
 public:
  /// With tolerance 0, nothing is ever replaced.
  template <class Real>
  static ReliableResidual of(double tolerance) {
    return {tolerance, sizeof(Real) == 8 ? 1000.0 : 10.0, largest_growth<Real>};
  }

  /// Records the recurrence's residual after an iteration, and whether it has met the tolerance.
  void see(double residual, bool met) {
    residual_ = residual;
    largest_ = std::max(largest_, residual);
    met_ = met;
  }
  bool due() const {
    const bool fallen = residual_ * fall_ <= largest_ && residual_ > above_floor * floor_;
    return tolerance_ > 0 && (met_ || fallen || residual_ <= floor_);
  }

  /// Whether the recurrence has grown beyond `largest_growth`: more iterations are in vain.
  bool has_diverged() const { return tolerance_ > 0 && largest_ > growth_; }

  /// Records b - A x, which has replaced the recurrence. Returns whether the solve ends here: it has converged; or is
  /// at the floor, where a solver may iterate thousands of times without progress; or is no better than at the last
  /// replacement. `floor()` is estimate_floor() relative to |b|; it is called the first time, and when the recurrence
  /// has ended.
  template <class Floor>
  bool replace(double actual, const Floor& floor) {
    const bool no_better = !(actual < 0.5 * actual_), drifted = !(actual <= 10 * residual_);
    const bool converged = met_ && actual <= residual_slack * tolerance_;
    if (replacements_ == 0 || ((met_ || residual_ <= floor_) && !converged)) floor_ = floor();
    const bool ends = converged || actual <= at_floor * floor_ || (no_better && (met_ || drifted));
    actual_ = largest_ = actual;
    ++replacements_;
    return ends;
  }
  /// Whether the direction p is still useful after r was replaced; if not, p restarts from z. CG has
  /// p . r = r . z by recurrence, and takes its step p . r / p . A p and the next beta by that. Where the two differ
  /// after r was replaced, p . r is right: with r . z all later steps would be too long by the factor r . z / p . r,
  /// and a step that is more than twice too long increases the energy.
  static bool keeps_direction(double p_r, double r_z) { return p_r > 0.5 * r_z && p_r < 2 * r_z; }
  int replacements() const { return replacements_; }

  /// `ended`: not by the number of iterations. `floor`: estimate_floor().
  Verdict verdict(double actual, double floor, bool ended) const {
    if (actual > growth_) return Verdict::diverged;
    if (!ended) return Verdict::unconverged;
    if (actual <= residual_slack * tolerance_) return Verdict::converged;
    return actual <= std::min(floor_slack * floor, largest_stagnation) ? Verdict::stagnated : Verdict::unconverged;
  }

 private:
  ReliableResidual(double tolerance, double fall, double growth)
      : tolerance_(tolerance), fall_(fall), growth_(growth) {}

  double tolerance_, fall_, growth_, residual_ = 1, largest_ = 1, actual_ = 1, floor_ = 0;
  bool met_ = false;
  int replacements_ = 0;
};

namespace detail {

/// y = u s x with the unit roundoff u and pseudo-random signs s: a possible rounding error of the entries of x.
template <class Real>
struct Perturb {
  static constexpr Real unit_roundoff = std::numeric_limits<Real>::epsilon() / 2;
  const Real* x;
  Real* y;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return x[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    y[i] = random_bits(i) >> 63 ? unit_roundoff * value : -unit_roundoff * value;
  }
};

}  // namespace detail

/// |b| from b . b. Overwrites `work`, which is zero again where b is. Errors: ResultError where b . b is not finite, or
/// too small for its digits though b is not zero.
template <class Real>
double norm_of_right_side(const Instance& instance, const space::Space& space, const Vector<const Real>& b, double b_b,
                          const Vector<Real>& work, const std::string& method = "CG") {
  if (!std::isfinite(b_b))
    throw ResultError(method +
                      " broke down in iteration 1: b . b is not finite; b holds NaN or numbers too large to "
                      "square");
  using Limits = std::numeric_limits<double>;
  if (b_b < Limits::min() / Limits::epsilon()) {
    linalg::axpby<Real>(instance, static_cast<Real>(std::sqrt(std::numeric_limits<Real>::max())), b, Real(0), work);
    if (linalg::dot<Real>(instance, space, work, work) > 0)
      throw ResultError(method + " broke down in iteration 1: numbers of b are too small to square");
  }
  return std::sqrt(b_b);
}

/// x += dx, dx = 0, r = b - A x. Overwrites q. Returns r . r.
template <class Real, linalg::LinearOperator<Real> Operator>
double replace_residual(const Instance& instance, const Operator& A, const Vector<const Real>& b, const Vector<Real>& x,
                        const Vector<Real>& dx, const Vector<Real>& r, const Vector<Real>& q) {
  linalg::axpby<Real>(instance, Real(1), dx, Real(1), x);
  Kokkos::deep_copy(instance.space(), dx, Real(0));
  linalg::apply<Real>(instance, A, x, q);
  linalg::copy<Real>(instance, b, r);
  linalg::axpby<Real>(instance, Real(-1), q, Real(1), r);
  return linalg::dot<Real>(instance, A.space(), r, r);
}

/// |A d| with d_i = +-u x_i, u the unit roundoff: the residual that the rounding of x alone leaves, in one application
/// of A. Rounding within A x contributes a few times as much. Overwrites d and q, and leaves them zero, as CG needs
/// them.
template <class Real, linalg::LinearOperator<Real> Operator>
double estimate_floor(const Instance& instance, const Operator& A, const Vector<const Real>& x, const Vector<Real>& d,
                      const Vector<Real>& q) {
  linalg::for_entries(instance, A.space(), "solver/perturb", detail::Perturb<Real>{x.data(), d.data()});
  linalg::apply<Real>(instance, A, d, q);
  const double norm = std::sqrt(linalg::dot<Real>(instance, A.space(), q, q));
  Kokkos::deep_copy(instance.space(), d, Real(0));
  Kokkos::deep_copy(instance.space(), q, Real(0));
  return norm;
}

}  // namespace miniapp::solver
