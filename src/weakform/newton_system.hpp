// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/reliable_residual.hpp"
#include "miniapp/weakform/newton.hpp"

namespace miniapp::weakform {

/// A linear solve of Newton's method.
struct LinearOutcome {
  int iterations = 0;
  solver::Verdict verdict = solver::Verdict::unconverged;
  std::string failure;  ///< empty, or how it broke down
};

/// Solves J d = b: by CG where the problem is symmetric, otherwise by GMRES, preconditioned by the symmetric part of J.
/// Never throws for what J holds.
LinearOutcome solve_system(const Instance& instance, const detail::NewtonProblem& problem,
                           const linalg::CsrMatrix<double>& J, const Vector<const double>& b, const Vector<double>& d,
                           const NewtonOptions& options);

}  // namespace miniapp::weakform
