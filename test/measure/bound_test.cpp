// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/bound.hpp"

#include "support/catch.hpp"

using namespace miniapp::measure;

TEST_CASE("The bound is the longest of the times that rates allow", "[measure][bound]") {
  const Limits limits{100, 10, 50};

  CHECK(bound({200, 10, 0}, limits).seconds == 2);
  CHECK(bound({200, 10, 0}, limits).by == Limit::memory);
  CHECK(bound({200, 30, 0}, limits).seconds == 3);
  CHECK(bound({200, 30, 0}, limits).by == Limit::multiplications);
  CHECK(bound({200, 30, 200}, limits).seconds == 4);
  CHECK(bound({200, 30, 200}, limits).by == Limit::scratch);
}

TEST_CASE("A rate that is unknown limits nothing", "[measure][bound]") {
  CHECK(bound({200, 30, 200}, {100, 0, 0}).seconds == 2);
  CHECK(bound({0, 0, 0}, {}).seconds == 0);
}
