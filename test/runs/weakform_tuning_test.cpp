// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/tuning.hpp"

#include <algorithm>
#include <utility>

#include "miniapp/core/device.hpp"
#include "support/catch.hpp"

using namespace miniapp::weakform;

TEST_CASE("A tuning table of forms is written as it is read, later entries replace earlier ones",
          "[weakform][tuning]") {
  const std::string first = "host512 poisson 2 single tiles 256 0 4\n",
                    second = "sm_90 neo-hookean 3 double transposed 128 16 8\n";
  const TuningTable table("# fastest\n" + first + "\n" + second + "host512 poisson 2 single cells 128 0 4 # again\n",
                          "a table");

  CHECK(table.text() == "host512 poisson 2 single cells 128 0 4\n" + second);
  const auto found = table.find({"sm_90", FormKind::neo_hookean, 3, Precision::fp64});
  REQUIRE(found);
  CHECK(found->strategy == Strategy::transposed);
  CHECK(std::pair(found->blocks, found->batches) == std::pair(16, 8));
  CHECK(TuningTable(first, "a table").find({"host512", FormKind::poisson, 2, Precision::fp32})->block_size == 256);
  for (const TuningTable::Key& other : {TuningTable::Key{"sm_80", FormKind::neo_hookean, 3, Precision::fp64},
                                        {"sm_90", FormKind::poisson, 3, Precision::fp64},
                                        {"sm_90", FormKind::neo_hookean, 2, Precision::fp64},
                                        {"sm_90", FormKind::neo_hookean, 3, Precision::fp32}})
    CHECK_FALSE(table.find(other));
}

TEST_CASE("An entry of a tuning table of forms that cannot be is refused, with its line and what is accepted",
          "[weakform][tuning]") {
  const std::pair<std::string, std::string> entries[] = {
      {"host poison 2 single tiles 256 0 4", "unknown form 'poison'; accepted are poisson, variable-poisson"},
      {"host poisson 4 single tiles 256 0 4", "dim '4'; accepted are whole numbers from 2 to 3"},
      {"host poisson 2 half tiles 256 0 4", "unknown precision 'half'; accepted are double, single"},
      {"host poisson 2 single reference 256 0 4", "unknown strategy 'reference'; accepted are cells"},
      {"host poisson 2 single tiles 0 0 4", "block_size '0'; accepted are whole numbers from 1 to 4096"},
      {"host poisson 2 single tiles 256 -1 4", "blocks '-1'; accepted are whole numbers from 0 to 4096"},
      {"host poisson 2 single tiles 256 0 4x", "batches '4x'; accepted are whole numbers from 1 to 4096"},
      {"host poisson 2 single tiles 256 0", "7 words; accepted are 8: device form dim"},
      {"host poisson 2 single tiles 256 0 4 4", "9 words; accepted are 8"}};
  for (const auto& [entry, message] : entries)
    CHECK_THROWS_WITH(TuningTable("\n" + entry + "\n", "a table"), contains("a table, line 2: " + message));
}

TEST_CASE("Every strategy is a candidate, and so is what is usual", "[weakform][tuning]") {
  const std::vector<Options> candidates = tuning_candidates();
  for (const Strategy strategy : timed_strategies())
    CHECK(std::any_of(candidates.begin(), candidates.end(), [&](const Options& o) { return o.strategy == strategy; }));
  for (const bool generated : {false, true})
    for (const bool solve : {false, true}) {
      const Strategy usual = usual_strategy(generated, solve);
      CHECK(std::any_of(candidates.begin(), candidates.end(), [&](const Options& o) {
        return o.strategy == usual && (!o.block_size || o.block_size == usual_block_size(usual));
      }));
    }
  const TuningTable::Key key = tuning_key(FormKind::helmholtz, {.dim = 2, .precision = Precision::fp32});
  CHECK(key == TuningTable::Key{device_class(), FormKind::helmholtz, 2, Precision::fp32});
}
