// SPDX-License-Identifier: BSD-3-Clause
#include "runs/indirect/combination.hpp"

#include "miniapp/core/execution.hpp"
#include "miniapp/indirect/case.hpp"
#include "support/catch.hpp"

using indirect::InBlock;
using indirect::LoopKind;
using indirect::PlanOptions;
using indirect::Strategy;
using indirect::WriteBack;

TEST_CASE("All strategies run the hierarchical one in two ways, unless one is asked for", "[indirect][combination]") {
  const PlanOptions base{Strategy::serial, 77, InBlock::colours, WriteBack::colours};
  const std::size_t strategies = members<Strategy>().size() - (runs_on_host ? 0 : 1);  // serial is of hosts
  CHECK(indirect::all_strategies(base, true).size() == strategies);
  const std::vector<PlanOptions> all = indirect::all_strategies(base, false);
  CHECK(all.size() == strategies + 1);
  int hierarchical = 0;
  for (const PlanOptions& plan : all) {
    CHECK(plan.block_size == 77);
    const bool second = plan.strategy == Strategy::hierarchical && hierarchical++ == 1;
    CHECK((plan.in_block == InBlock::gather) == second);
    CHECK((plan.write_back == WriteBack::atomic) == second);
  }
  CHECK(hierarchical == 2);
}

TEST_CASE("Only blocks have a size, an owner's half that of a hierarchical one", "[indirect][combination]") {
  for (const Strategy strategy : members<Strategy>())
    CHECK(indirect::has_blocks(strategy) == (strategy == Strategy::hierarchical || strategy == Strategy::owner));
  CHECK(2 * indirect::usual_block_size(Strategy::owner) == indirect::usual_block_size(Strategy::hierarchical));
}

TEST_CASE("A loop's memory grows with its elements, and with METIS's graph of hexahedra and corners",
          "[indirect][memory]") {
  const LoopKind loop = GENERATE(LoopKind::airfoil, LoopKind::hydro_stress, LoopKind::corner_acceleration);
  const double none = indirect::estimated_memory(loop, 1000, false),
               metis = indirect::estimated_memory(loop, 1000, true);
  CHECK(indirect::estimated_memory(loop, 2000, false) == 2 * none);
  CHECK((metis > none) == (loop != LoopKind::airfoil));
}
