// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/csr.hpp"
#include "miniapp/core/features.hpp"
#ifdef MINIAPP_HAVE_METIS
#include <metis.h>

#include <string>
#include <vector>

namespace miniapp::graph {

using MetisGraph = Csr<idx_t, idx_t>;

/// (row): its part, 0 .. parts - 1. A part may have `excess` thousandths more rows than the average, as far as METIS
/// succeeds; one may be empty. `argument`: the one that chose METIS. Errors: ResultError.
std::vector<idx_t> make_parts(MetisGraph graph, idx_t parts, idx_t excess, const std::string& argument);

}  // namespace miniapp::graph
#endif
