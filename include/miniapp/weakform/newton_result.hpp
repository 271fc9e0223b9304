// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/core/names.hpp"

namespace miniapp::weakform {

using miniapp::name;

/// What makes the linear systems of Newton's method easier.
enum class LinearPreconditioner {
  none,    ///< r itself
  jacobi,  ///< the diagonal
  amg,     ///< a cycle of solver/amg.hpp in single precision, kept from step to step while it serves
};
constexpr auto names(LinearPreconditioner) { return std::array{"none", "jacobi", "amg"}; }

/// The usual values are those for double precision.
struct NewtonOptions {
  double tolerance = 1e-9;  ///< stop when |r| <= tolerance times the first |r|
  int max_iterations = 30;  ///< most steps
  double linear_tolerance = 1e-10;
  int max_linear_iterations = 10000;
  LinearPreconditioner preconditioner = LinearPreconditioner::amg;
  /// The precision of amg's cycles on one process. Single ones that break down go on in double precision.
  Precision amg_precision = Precision::fp32;
  double shortest_step = 1. / 1024;  ///< where the line search gives up, relative to Newton's step
  std::function<void(int step, double residual)> progress = {};  ///< called at the start and after every step
};

/// What suits a precision. In single precision rounding leaves about 1e-6 of the first |r| on meshes of a million
/// cells, and steps need not be more exact than that.
template <class Real>
NewtonOptions usual_newton() {
  NewtonOptions options;
  if (sizeof(Real) == sizeof(float)) {
    options.tolerance = 1e-5;
    options.linear_tolerance = 1e-5;
  }
  return options;
}

/// The outcome of Newton's method; the first four are those of solver::Verdict (docs/verdicts.md).
enum class NewtonVerdict {
  converged,    ///< |r| <= tolerance times the first |r|
  stagnated,    ///< above that, but at most 10 times the floor set by rounding, and at most 0.001 times the first |r|
  unconverged,  ///< max_iterations steps were not enough
  diverged,     ///< no step length gives a smaller |r|, or one that is finite
  broke_down,   ///< the Jacobian or its preconditioner is not positive definite, or a linear solve diverged
};
constexpr auto names(NewtonVerdict) {
  return std::array{"converged", "stagnated", "unconverged", "diverged", "broke down"};
}

struct NewtonStep {
  double length = 0;  ///< the step's length; 1: Newton's own
  int linear_iterations = 0;
  bool sets_up = false;  ///< whether multigrid was set up for it, not kept from one before
};

/// A residual relative to the first one, which is 0 where all are; NaN stays NaN.
inline double relative(double residual, double first) { return first == 0 ? residual : residual / first; }

struct NewtonResult {
  std::vector<double> residuals;  ///< |r| before the first and after each step
  std::vector<NewtonStep> steps;
  double floor = 0;  ///< the smallest attainable |r|, estimated where |r| falls by less than half; otherwise 0
  NewtonVerdict verdict = NewtonVerdict::unconverged;
  std::string remark;            ///< empty, or one line: why it ended, or which linear solve was not exact
  std::string single_breakdown;  ///< empty, or why multigrid's cycles are in double precision from some step on

  /// Or stagnated at the floor of the precision.
  bool converged() const { return verdict == NewtonVerdict::converged || verdict == NewtonVerdict::stagnated; }
  int linear_iterations() const;  ///< sum over all steps
  int set_ups() const;            ///< set-ups of multigrid
};

}  // namespace miniapp::weakform
