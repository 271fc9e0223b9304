// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/elasticity/options.hpp"
#include "report/rows.hpp"
#include "runs/elasticity/beam_run.hpp"

namespace miniapp::apps {

/// The record of a cantilever: `base` and its results, docs/record.md.
report::Json to_record(const report::Json& base, const ElasticityOptions& options,
                       const elasticity::BeamResult& result);

/// What was wrong with it, for the program's last line; empty where nothing was: its matrices, CG's verdict, or its
/// deflection where beam theory has a tolerance.
std::string what_was_wrong(const ElasticityOptions& options, const elasticity::BeamResult& result);

/// "2 reg-jac": the first column of tables of cantilevers or of matrices.
report::Column run_column(const ElasticityOptions& options);

/// The heading of the page and the columns of its table.
std::string beam_heading(const ElasticityOptions& options, const std::string& device);
std::vector<report::Column> beam_columns(const ElasticityOptions& options);

/// What records of cantilevers and of bodies have in common: the case but for its geometry, ranks, CG, times, rates and
/// roofs; `order` is the result's. The verification is the matrices' alone.
void put_system(report::Json& record, const ElasticityOptions& options, int order,
                const elasticity::SystemResult& result);

/// What was wrong with a system: its matrices or CG's verdict; empty where nothing was.
std::string what_was_wrong(const ElasticityOptions& options, int order, const elasticity::SystemResult& result);

/// Columns of the matrix, before and behind those of the solution: the latter begin with A x.
std::vector<report::Column> matrix_columns(const ElasticityOptions& options);
std::vector<report::Column> product_columns(const ElasticityOptions& options);

/// A line about the levels of multigrid, which the result has.
std::string describe_multigrid(int order, const elasticity::SystemResult& result);

}  // namespace miniapp::apps
