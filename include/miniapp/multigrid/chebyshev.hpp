// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "miniapp/core/detail/replay.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/multigrid/schwarz.hpp"
#include "miniapp/solver/preconditioner.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::multigrid {

/// The lengths of a degree's steps x += length B (f - A x) for the largest eigenvalue 1, of the fourth kind: the
/// inverse roots of the residual's polynomial. They damp the upper part of the spectrum, as a smoother does. With
/// Lottes' optimal weights up to degree 6. In an order that keeps what rounding adds small: each root far from those
/// before (Leja). Source: J. Lottes, Optimal polynomial smoothers for multigrid V-cycles, arXiv 2202.08830 (2022),
/// table 1.
std::vector<double> chebyshev_smoother(int degree);
/// The lengths of the steps of the first kind, for eigenvalues from `least` to 1. They damp that whole interval, as a
/// preconditioner does. Source: Y. Saad, Iterative methods for sparse linear systems, section 12.3.2.
std::vector<double> chebyshev_solver(int degree, double least);

/// Chebyshev's iteration on B A in single precision, B = D^-1 or restricted additive Schwarz (schwarz.hpp), A the
/// problem's operator (level_operator.hpp), by the roots of its polynomial:
///
///   x += length_k / lambda B (f - A x), k = 1 .. degree
///
/// with lambda a little more than an estimate of the largest eigenvalue. So a step needs no vector but A x, and with
/// Schwarz on a GPU it is two kernels. Memory: the operator in single precision, 1 word per unknown, and that of B.
class Chebyshev {
 public:
  /// `d` must outlive it. Errors: as make_operator() and make_schwarz().
  Chebyshev(const Discretisation& d, Smoother smoother, std::vector<double> steps);

  /// Takes lambda, coefficient and surface masses anew from `d`, where they have changed; estimate_largest() must
  /// follow. O(nodes). Collective. Errors: as ElementOperator::update().
  void update();
  /// Must be called before run(). By Lanczos' method where B is symmetric; else by so many steps of Arnoldi's from v,
  /// which becomes the eigenvector, with 5 % added, since few steps find too little. Errors: ResultError where the
  /// estimate is not positive and finite: the operator is zero, not definite, or holds NaN or numbers beyond single
  /// precision.
  void estimate_largest(int arnoldi_steps, const Vector<float>& v);
  /// Other steps.
  void set_steps(std::vector<double> steps) { steps_ = std::move(steps); }
  /// The estimate of the largest eigenvalue of B A.
  float estimate() const { return largest_; }
  /// The estimate with a margin, since polynomials grow fast beyond it. One step gains by it too: BP3.0, orders 3 and
  /// 4, 32^3 elements, after 6 iterations |r| is 0.7e-8 and 0.9e-8 |b|, without it 8.2e-8 and 1.03e-8.
  float largest() const { return 1.1f * largest_; }

  /// Steps for A x = f from x, or from zero: then with degree - 1 products with A instead of degree. Where `f_is_part`
  /// f is what this rank's elements have added, and becomes the sum over ranks.
  void run(const Instance& instance, const Vector<float>& f, const Vector<float>& x, bool from_zero,
           bool f_is_part = false) const;
  /// y such that f - y is this rank's part of f - A x: what its elements add to A x, and f where another rank owns the
  /// entry. It is there until the next call of run() or subtrahend().
  const Vector<float>& subtrahend(const Instance& instance, const Vector<const float>& f, const Vector<float>& x) const;
  bool is_symmetric() const { return !schwarz_; }
  /// Whether run() leaves the same bits in all copies of an unknown on several ranks, even where copies of x differed.
  bool makes_copies_equal() const { return schwarz_ && schwarz_->makes_copies_equal(); }
  /// Whether run() waits for the instance.
  bool waits() const { return discretisation_.space.exchange.waits() || (schwarz_ && schwarz_->waits()); }
  /// Memory [bytes].
  double bytes() const;

 private:
  /// A x, until the next call.
  const Vector<float>& product(const Instance& instance, const Vector<float>& x) const;

  const Discretisation& discretisation_;
  std::vector<double> steps_;
  std::unique_ptr<ElementOperator<float>> A_;
  std::unique_ptr<Schwarz> schwarz_;
  Vector<const float> scale_;  ///< D^-1, where there is no Schwarz
  float largest_ = 0;
  Vector<float> y_;  ///< A x
};

/// The least eigenvalue that the polynomial of ChebyshevPreconditioner damps, of the largest. A mass has no small ones.
/// With stiffness, iterations of BP3.0, order 7, 512 elements, to 1e-8 with 1/30, 1/100, 1/300, and with the fourth
/// kind: degree 4 79, 78, 79, 86; degree 8 47, 41, 40, 47.
constexpr double chebyshev_least(Problem problem) { return has_stiffness(problem) ? 1. / 100 : 1. / 4; }

/// z = p(D^-1 A) D^-1 r, p Chebyshev's polynomial of the first kind with `degree` steps, in single precision. It is
/// symmetric positive definite. Per application degree - 1 products with A. Memory: as Chebyshev, 2 words per unknown.
class ChebyshevPreconditioner : public solver::StoresResult {
 public:
  /// `d` must outlive it. Times the phases "polynomial" and "eigenvalues". Errors: as Chebyshev.
  ChebyshevPreconditioner(const Discretisation& d, int degree, measure::Phases& phases);

  /// Takes lambda, coefficient and surface masses anew from `d`, where they have changed. O(nodes). Collective. Errors:
  /// as the constructor, and ElementOperator::update().
  void update();
  /// z = M^-1 r; returns r . z.
  template <class Real>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double) const;
  /// Memory [bytes].
  double bytes() const;

 private:
  Chebyshev chebyshev_;
  Vector<float> f_, x_;
  mutable Replay replay_;
};

}  // namespace miniapp::multigrid
