// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/printer.hpp"
#include "apps/solver/run.hpp"

namespace miniapp::apps {

/// The record of a solve: `base` and its results, docs/record.md.
Json to_record(const Json& base, const SolverOptions& options, const MatrixFigures& matrix, const SolverResult& result);

/// What was wrong with it, for the program's last line; empty where nothing was.
std::string what_was_wrong(const MatrixFigures& matrix, const SolverResult& result);

/// The page: solves, set-up by phases, the model of an iteration.
std::vector<Printer::Block> solver_blocks(const SolverOptions& options, const std::string& device);

/// The levels of a hierarchy, a line each; of the rows of each rank that of rank 0.
std::string describe_levels(const MatrixFigures& matrix, const SolverResult& result);

/// Which preconditioner --preconditioner auto chose, by what, and what it gave up before.
std::string describe_choice(const MatrixFigures& matrix, const SolverResult& result);

/// That a matrix is singular, so that its solution is one of many.
std::string describe_null_space(const MatrixFigures& matrix);

/// What ranks have of a matrix: least and most.
std::string describe_shares(const MatrixFigures& matrix, const Json& record);

}  // namespace miniapp::apps
