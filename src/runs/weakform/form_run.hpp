// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "runs/weakform/ordered_form.hpp"
#include "space/of_ranks.hpp"

/// A form by a strategy: its residual and its Jacobian's action, verified and timed.
namespace miniapp::weakform {

/// Refuses what no mesh of this kind makes possible, such as blocks that do not fit in scratch, before a large mesh is
/// made. Errors: InputError.
void require_able(FormKind kind, const FormSettings& settings, const Options& options);

/// How far a residual and the Jacobian's action are from what is right. Each entry has its tolerance, by what rounding
/// may make of it (reference.hpp): an error is that of the entry where it is worst relative to its tolerance, scaled to
/// the largest tolerance of all entries.
struct Verified {
  double residual_error = 0, action_error = 0;
  double residual_tolerance = 1, action_tolerance = 1, residual_norm = 0;

  /// The larger error, relative to its tolerance.
  double error() const;
};

/// What was measured and found of a form in a configuration.
struct Measured : Verified {
  Way way;
  measure::Phases phases;  ///< phases of the set-up
  space::OfRanks of_ranks;
  measure::Sample residual, jacobian;            ///< times; none with verify_only and of a wrong one
  std::optional<measure::Sample> on_e_vectors;   ///< transposed: the kernel alone
  double flops = 0, bytes = 0, least_bytes = 0;  ///< figures of one residual, of all ranks
  std::int64_t num_entries = 0;                  ///< unknowns of all ranks
  indirect::PlanFigures figures;
  TeamResources resources;

  /// What the strategy's own bytes take: its kernel on E-vectors, or the residual.
  const measure::Sample& kernel() const { return on_e_vectors ? *on_e_vectors : residual; }
};

/// What was found of a form's solution by Newton's method.
struct Solved {
  Way way;
  measure::Phases phases;  ///< phases of the set-up
  space::OfRanks of_ranks;
  Verified verified;
  double seconds = 0;  ///< time of Newton's method, with its matrices and multigrid [s]
  std::int64_t num_entries = 0;
  NewtonResult newton;
  std::optional<SolutionErrors> errors;    ///< where the solution is known
  std::string natural;                     ///< sides of a user's problem without a condition
  std::vector<double> solution, residual;  ///< (node, component) of the ordered form, with FormSettings::keeps_solution
};

/// Solves the form from zero, on the surface with the exact solution, and compares with that. Errors: InputError as
/// bind().
Solved solve_form(FormProblem& problem, const Way& way);

/// Binds the form to the device, verifies the residual and the Jacobian's action, and times both; of several ranks the
/// slowest counts. Errors: InputError as bind(), on all ranks the same.
Measured measure_form(FormProblem& problem, const Way& way);

}  // namespace miniapp::weakform
