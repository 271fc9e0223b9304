// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity_options.hpp"

namespace miniapp::apps {

/// `miniapp elasticity --solve`: one row and one record per order and variant. Returns the exit code. Errors:
/// ResultError where CG breaks down or does not converge.
int solve_cantilevers(const ElasticityOptions& options, const std::string& command_line);

}  // namespace miniapp::apps
