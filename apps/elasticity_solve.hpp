// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity_options.hpp"
#include "printer.hpp"

namespace miniapp::apps {

/// `miniapp elasticity --solve`: one row and one record per order and variant.
void solve_cantilevers(const ElasticityOptions& options, Printer& printer);

}  // namespace miniapp::apps
