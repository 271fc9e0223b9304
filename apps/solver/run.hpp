// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/solver/options.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "runs/solver/automatic.hpp"
#include "runs/solver/chosen_solver.hpp"

namespace miniapp::apps {

/// What a matrix is, and what y = A x takes.
struct MatrixFigures {
  MatrixChoice choice;
  std::int64_t unknowns = 0, entries = 0;
  double error = 0;    ///< error / tolerance of A x
  int null_modes = 0;  ///< how many modes of the near-null space A maps to zero, up to rounding
  /// |b - A x| / |b| is at least that, whatever x, since b is not orthogonal to what A maps to zero.
  double least_residual = 0;
  Halo halo = Halo::host;    ///< how values travel between ranks
  double bytes = 0;          ///< bytes that A x moves on all ranks: the matrix as it is stored, two words per row
  measure::Sample product;   ///< time of A x [s]
  measure::MemoryRoof roof;  ///< roof at `bytes`
  double launch = 0;         ///< time of an empty loop [s]
  double read = 0;           ///< time in which the host reads a number [s]
  measure::Phases phases;    ///< phases of its set-up
  bool passed() const { return error <= 1; }
};

/// T = launches T_launch + reads T_read + bytes / bandwidth of an iteration.
struct IterationModel {
  solver::IterationCost cost;
  double bytes = 0, seconds = 0;
};

/// One solve.
struct SolverResult {
  solver::SolveSettings settings;
  measure::Phases phases;                  ///< phases of the matrix and of the preconditioner
  std::optional<solver::CgResult> cg;      ///< nothing where it broke down, or was not asked for
  std::string breakdown;                   ///< why CG or the preconditioner's set-up broke down
  std::string single_breakdown;            ///< why they did with cycles in single precision, before this solve
  std::vector<solver::Attempt> predicted;  ///< what --preconditioner auto went by; empty: it was not asked for
  std::vector<solver::GivenUp> given_up;   ///< what it tried before
  /// What it left out, as the free memory does not hold it.
  std::vector<solver::PreconditionerKind> without_room;
  double host_residual = 0;                    ///< |b - A x| / |b| by rows in double precision
  measure::Sample solve, iteration;            ///< [s]
  std::optional<solver::Hierarchy> hierarchy;  ///< levels of multigrid
  double preconditioner_bytes = 0;             ///< memory, or what an application of factors moves at least [bytes]
  int launch_levels = 0;                       ///< levels of a substitution by levels
  /// Figures and their spread over ranks; empty on one rank.
  std::vector<std::pair<std::string, Spread>> of_ranks;
  std::optional<IterationModel> model;  ///< the model of methods with a pointwise preconditioner
  /// Time of an iteration by the slides [s]: 1 us per launch, 2 us per read; A as its entries and two words per row.
  double textbook = 0;

  /// Whether the solve ended before its time, by gives_up or since it diverged.
  bool is_given_up() const {
    return settings.cg.gives_up && cg && !cg->converged() && cg->iterations < settings.cg.max_iterations;
  }
  /// How far the two residuals may be apart, by rounding.
  double residual_tolerance() const { return 10 * cg->floor + 1e-3 * cg->true_relative_residual; }
  double residual_error() const;
  bool residuals_agree() const { return !cg || residual_error() <= residual_tolerance(); }
};

/// Makes a matrix on all ranks, verifies and times its product, then solves by one setting after the other; none where
/// the product is wrong. `next` is called before each solve, `done` after it, with empty results where nothing was
/// solved.
void run_solves(const SolverOptions& options, const MatrixChoice& choice,
                const std::function<void(const solver::SolveSettings&)>& next,
                const std::function<void(int iteration, double residual)>& progress,
                const std::function<void(const MatrixFigures&, const SolverResult&)>& done);

}  // namespace miniapp::apps
