// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

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

/// The linear systems J d = b of one run of Newton's method, J the sum of all ranks' matrices, solved by CG where the
/// problem is symmetric, otherwise by GMRES, preconditioned by the symmetric part of J. Multigrid is kept from system
/// to system, until one takes more than `kept_growth` times the iterations of the system that it was set up for, and
/// some more; then the next system has its own. A system that fails with multigrid of another one is solved again with
/// its own, and one that fails with its own in single precision, as all later ones, with cycles in double precision.
template <class Real>
class LinearSystem {
 public:
  /// Problem and options must outlive the system.
  LinearSystem(const detail::NewtonProblem<Real>& problem, const NewtonOptions& options)
      : problem_(problem), options_(options) {}

  /// `J`: of this rank's cells. Never throws for what J holds. Collective.
  LinearOutcome solve(const Instance& instance, const linalg::CsrMatrix<double>& J, const Vector<const Real>& b,
                      const Vector<Real>& d);

 private:
  static constexpr double kept_growth = 1.5;
  static constexpr int kept_slack = 2;  ///< iterations

  const detail::NewtonProblem<Real>& problem_;
  const NewtonOptions& options_;
  Precision cycles_ = Precision::fp32;       ///< precision of multigrid's cycles
  solver::ChosenPreconditioner<Real> kept_;  ///< of the last system that had its own
  int first_iterations_ = 0;                 ///< iterations of that system
};

}  // namespace miniapp::weakform
