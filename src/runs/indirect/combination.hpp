// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/graph/reorder.hpp"
#include "miniapp/indirect/plan.hpp"

namespace miniapp::indirect {

/// A configuration in which a loop runs, in every layout: `automatic` ones are chosen among by measurement.
struct Combination {
  PlanOptions plan;
  graph::Reorder reorder;
  bool automatic;
};

/// Every strategy that can run here; the hierarchical one as the paper's and as the fastest here, or only as `base` has
/// it where `base_only`.
std::vector<PlanOptions> all_strategies(const PlanOptions& base, bool base_only);

/// Whether a strategy works in blocks, whose size then matters.
bool has_blocks(Strategy strategy);

/// The size of its blocks where none is asked for.
int usual_block_size(Strategy strategy);

}  // namespace miniapp::indirect
