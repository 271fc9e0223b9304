// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "miniapp/solver/any_preconditioner.hpp"
#include "miniapp/solver/reliable_residual.hpp"
#include "miniapp/weakform/newton.hpp"

namespace miniapp::weakform {

/// A linear solve of Newton's method.
struct LinearOutcome {
  int iterations = 0;
  solver::Verdict verdict = solver::Verdict::unconverged;
  std::string failure = {};           ///< empty, or how it broke down
  bool sets_up = false;               ///< whether multigrid was set up
  std::string single_breakdown = {};  ///< how it broke down with cycles in single precision, before this solve
};

/// The linear systems J d = b of Newton's method, J the sum of all ranks' matrices, solved by CG where the problem is
/// symmetric, otherwise by GMRES, preconditioned by the symmetric part of J. Multigrid is kept from system to system,
/// also from one run of Newton's method to the next, until one takes more than `kept_growth` times the iterations of
/// the system that it was set up for, and some more; then the next system has its own. So it has where options ask for
/// another preconditioner or linear tolerance, by which iterations are counted. A system that fails with multigrid of
/// another one is solved again with its own, and one that fails with its own in single precision, as all later ones,
/// with cycles in double precision.
template <class Real>
class LinearSystem {
 public:
  /// `near_null`, `symmetric`: as in NewtonProblem.
  LinearSystem(space::Space unknowns, const Vector<const double>& near_null, bool symmetric)
      : unknowns_(std::move(unknowns)), near_null_(near_null), symmetric_(symmetric) {}

  /// `J`: of this rank's cells. Never throws for what J holds. Collective.
  LinearOutcome solve(const Instance& instance, const linalg::CsrMatrix<double>& J, const Vector<const Real>& b,
                      const Vector<Real>& d, const NewtonOptions& options);

 private:
  static constexpr double kept_growth = 1.5;
  static constexpr int kept_slack = 2;  ///< iterations

  LinearOutcome iterate(const Instance& instance, const linalg::CsrMatrix<double>& J,
                        const solver::AnyPreconditioner<Real>& preconditioner, const Vector<const Real>& b,
                        const Vector<Real>& d, const NewtonOptions& options) const;
  /// The preconditioner of type Identity, Jacobi<Real> or DistributedAmg. Errors: as positive_diagonal() and
  /// solver::DistributedAmg.
  solver::ChosenPreconditioner<Real> make_preconditioner(const Instance& instance, const linalg::CsrMatrix<double>& J,
                                                         LinearPreconditioner kind) const;

  space::Space unknowns_;
  Vector<const double> near_null_;
  bool symmetric_;
  Precision asked_ = Precision::fp32;        ///< the precision of multigrid's cycles that options ask for
  Precision cycles_ = Precision::fp32;       ///< the one that they have
  solver::ChosenPreconditioner<Real> kept_;  ///< the preconditioner of the last system that had its own
  LinearPreconditioner kind_ = LinearPreconditioner::none;
  double tolerance_ = 0;      ///< the tolerance of that system
  int first_iterations_ = 0;  ///< iterations of that system
};

}  // namespace miniapp::weakform
