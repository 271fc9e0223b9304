// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/roofs.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/session.hpp"
#include "support/catch.hpp"

TEST_CASE("The copy bandwidth is a positive number at every size", "[measure][roofs]") {
  const double bytes = GENERATE(0.0, 1.0, 16.0, 1e3, 1e6, 1e7);

  const double rate = measure::copy_bandwidth(bytes);

  CAPTURE(bytes, rate);
  CHECK(std::isfinite(rate));
  CHECK(rate > 0);
}

TEST_CASE("The memory rate is a positive number at every size", "[measure][roofs]") {
  const double bytes = GENERATE(0.0, 1.0, 1e6, 4e7);

  const double rate = measure::memory_rate(bytes);

  CAPTURE(bytes, rate);
  CHECK(std::isfinite(rate));
  CHECK(rate > 0);
}

TEST_CASE("A copy roof is measured at the bytes of the operation", "[measure][roofs]") {
  const measure::CopyRoof roof = measure::copy_roof(1e6);

  CHECK(roof.bytes == 1e6);
  CHECK(roof.bandwidth > 0);
  CHECK(roof.time({1e6, 0}) == 1e6 / roof.bandwidth);
  CHECK(roof.time({3e9, 7}) == 3e9 / roof.bandwidth);
}

TEST_CASE("A copy roof uses at most 1 GB, of one thread less, whatever the operation moves", "[measure][roofs]") {
  [[maybe_unused]] const std::size_t before = peak_resident_memory();

  const measure::CopyRoof roof = measure::copy_roof(1e12);

  CHECK(roof.bytes == measure::most_copied());
  CHECK(roof.bytes <= 1e9);
  if (!has_one_thread) CHECK(roof.bytes == 1e9);
  CHECK(roof.bytes >= std::min(4 * measure::last_level_cache(), 1e8));
#ifndef __SANITIZE_ADDRESS__  // which has memory of its own beside each byte
  if (runs_on_host && before > 0) CHECK(double(peak_resident_memory()) <= double(before) + 1.02e9);
#endif
}

TEST_CASE("The multiply-add rate is a positive number", "[measure][roofs]") {
  CHECK(measure::fma_rate(Precision::fp64) > 0);
  CHECK(measure::fma_rate(Precision::fp32) > 0);
}
