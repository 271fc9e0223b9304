// SPDX-License-Identifier: BSD-3-Clause
#include "runs/indirect/combination.hpp"

#include "miniapp/core/execution.hpp"

namespace miniapp::indirect {

std::vector<PlanOptions> all_strategies(const PlanOptions& base, bool base_only) {
  std::vector<PlanOptions> all;
  for (const Strategy strategy : members<Strategy>()) {
    if (strategy == Strategy::serial && !runs_on_host) continue;
    PlanOptions way = base;
    way.strategy = strategy;
    all.push_back(way);
    if (strategy != Strategy::hierarchical || base_only) continue;
    way.in_block = InBlock::gather;
    way.write_back = WriteBack::atomic;
    all.push_back(way);
  }
  return all;
}

bool has_blocks(Strategy strategy) { return strategy == Strategy::hierarchical || strategy == Strategy::owner; }

int usual_block_size(Strategy strategy) { return strategy == Strategy::owner ? 128 : 256; }

}  // namespace miniapp::indirect
