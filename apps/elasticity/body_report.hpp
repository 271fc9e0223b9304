// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/elasticity/options.hpp"
#include "report/rows.hpp"
#include "runs/elasticity/body_run.hpp"

namespace miniapp::apps {

/// The record of a user's body: `base` and its results, docs/record.md.
report::Json to_record(const report::Json& base, const ElasticityOptions& options,
                       const elasticity::BodyResult& result);

/// What was wrong with it, for the program's last line; empty where nothing was.
std::string what_was_wrong(const ElasticityOptions& options, const elasticity::BodyResult& result);

/// The heading of the page and the columns of its table.
std::string body_heading(const ElasticityOptions& options, const std::string& device);
std::vector<report::Column> body_columns(const ElasticityOptions& options);

/// Where the largest displacement is, and the loads beside the support's forces.
std::string describe_balance(const elasticity::BodyResult& result);

}  // namespace miniapp::apps
