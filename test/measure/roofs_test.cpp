// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/roofs.hpp"

#include <cmath>

#include "support/catch.hpp"

using namespace miniapp;

TEST_CASE("The copy bandwidth is a positive number at every size", "[measure][roofs]") {
  const double bytes = GENERATE(0.0, 1.0, 16.0, 1e3, 1e6, 1e7);

  const double rate = measure::copy_bandwidth(bytes);

  CAPTURE(bytes, rate);
  CHECK(std::isfinite(rate));
  CHECK(rate > 0);
}

TEST_CASE("The copy roof's time grows with the bytes", "[measure][roofs]") {
  const double small = measure::copy_roof_time({1e6, 0}), large = measure::copy_roof_time({1e8, 0});

  CHECK(small > 0);
  CHECK(large > small);
}

TEST_CASE("The multiply-add rate is a positive number", "[measure][roofs]") {
  CHECK(measure::fma_rate<double>() > 0);
  CHECK(measure::fma_rate<float>() > 0);
}
