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

/// A line about the levels of a cantilever's multigrid, which it has.
std::string describe_multigrid(const elasticity::BeamResult& result);

}  // namespace miniapp::apps
