// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/frontend/memory.hpp"
#include "apps/frontend/options.hpp"
#include "apps/solver/matrix.hpp"
#include "apps/solver/near_null.hpp"
#include "runs/solver/settings.hpp"

namespace miniapp::apps {

/// What `miniapp solver` is to do, checked and completed.
struct SolverOptions : OutputOptions {
  std::vector<MatrixChoice> matrices;  ///< one per size
  std::vector<solver::CgMethod> methods{solver::CgMethod::cg};
  std::vector<solver::PreconditionerKind> preconditioners{solver::PreconditionerKind::automatic};
  solver::SolveSettings settings;  ///< what all runs share
  NearNullChoice near_null;
  Precision precision = Precision::fp64;
  std::string rhs = "ones";  ///< ones or random, zero at constrained nodes, or a file of Matrix Market
  std::shared_ptr<const std::vector<double>> rhs_values;  ///< (row of the whole matrix): those of a file
  std::string output;                                     ///< the file of the solution; empty: none
  measure::Repeat repeat{};
  bool no_solve = false;     ///< times products and iterations only
  bool verify_only = false;  ///< times nothing
  std::string history;       ///< the file of residuals; empty: none
  Halo halo = Halo::automatic;
  Communicator ranks;  ///< that share the rows

  /// The solves of a matrix, one after the other.
  std::vector<solver::SolveSettings> solves() const;
  /// Those that records may have: with `automatic` what it chooses from.
  std::vector<solver::PreconditionerKind> possible_preconditioners() const;
};

/// The arguments of the command line, as given: those that need no other to be understood, and the words of the rest.
struct SolverArguments {
  SolverOptions direct;  ///< settings that options set themselves
  std::string matrix = "poisson2d";
  std::vector<std::string> unknowns, method, pc, order{"7"};
  std::optional<solver::Aggregation> aggregation;
};

void add_options(Options& options, SolverArguments& arguments);

/// Checks every argument, and that memory suffices. Errors: InputError naming the option, its value and what is
/// accepted.
SolverOptions check(const SolverArguments& arguments, const Options& options);

/// What --cg calls the loop of a solve: classic where the preconditioner takes no other.
std::string name_of_cg(const solver::SolveSettings& solve);

/// What --output replaces. Errors: InputError where it holds something else.
ReplacedFile solution_file(const std::string& path);

/// Refuses a file of --rhs with another number of numbers than the matrix has rows.
void require_rows(const SolverOptions& options, const MatrixChoice& choice);

/// The options that set the size: "--unknowns 1000000".
std::string describe_size(const MatrixChoice& choice);

/// What the runs of a matrix need on a rank, the mean: to make it, or for the solve that needs most; nothing is known
/// of a file.
MemoryNeed memory_need(const SolverOptions& options, const MatrixChoice& choice);

}  // namespace miniapp::apps
