// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/cost.hpp"

#include "support/catch.hpp"

TEST_CASE("The cost of no elements is zero", "[measure][cost]") {
  const miniapp::measure::Cost cost;

  CHECK(cost.bytes == 0);
  CHECK(cost.flops == 0);
}
