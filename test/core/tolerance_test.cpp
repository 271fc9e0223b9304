// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/tolerance.hpp"

#include "support/catch.hpp"

TEST_CASE("The tolerance is eight roundings of one term", "[core][tolerance]") {
  CHECK(tolerance<double>(1, 1) == 8 * std::numeric_limits<double>::epsilon());
  CHECK(tolerance<float>(1, 1) == 8 * std::numeric_limits<float>::epsilon());
}

TEST_CASE("The tolerance grows with the root of the terms and with the scale", "[core][tolerance]") {
  CHECK(tolerance<double>(16, 1) == 4 * tolerance<double>(1, 1));
  CHECK(tolerance<double>(1, 2) == 2 * tolerance<double>(1, 1));
}
