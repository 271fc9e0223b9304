// SPDX-License-Identifier: BSD-3-Clause
#include "support/all_close.hpp"

#include <limits>

TEST_CASE("all_close accepts differences up to the tolerance and no larger ones", "[support][all_close]") {
  const double limit = tolerance<double>(4, 10);
  const Values expected{{10, -3, 0}};

  CHECK(all_close<double>(expected, 4).match({{10, -3, limit}}));
  CHECK_FALSE(all_close<double>(expected, 4).match({{10, -3, 2 * limit}}));
}

TEST_CASE("all_close takes its scale from the largest expected value unless one is given", "[support][all_close]") {
  const Values expected{{1, 0}}, actual{{1, tolerance<double>(1, 100)}};

  CHECK_FALSE(all_close<double>(expected, 1).match(actual));
  CHECK(all_close<double>(expected, 1, 100).match(actual));
}

TEST_CASE("all_close rejects another number of values", "[support][all_close]") {
  const AllClose matcher = all_close<double>({{1, 2, 3}}, 1);

  CHECK_FALSE(matcher.match({{1, 2}}));
  CHECK(matcher.describe().find("these are 2") != std::string::npos);
}

TEST_CASE("all_close rejects NaN on either side", "[support][all_close]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();

  CHECK_FALSE(all_close<double>({{1, 2}}, 1).match({{1, nan}}));
  CHECK_FALSE(all_close<double>({{1, nan}}, 1).match({{1, nan}}));
}

TEST_CASE("all_close names the three worst entries, the worst first", "[support][all_close]") {
  const AllClose matcher = all_close<double>({{0, 0, 0, 0, 0}}, 1, 1);

  CHECK_FALSE(matcher.match({{0.5, 2, 0, 8, 4}}));

  const std::string text = matcher.describe();
  CHECK(text.find("4 are not") != std::string::npos);
  CHECK(text.find("[3] 8 instead of 0 [4] 4 instead of 0 [1] 2 instead of 0") != std::string::npos);
  CHECK(text.find("[0]") == std::string::npos);
}

TEST_CASE("close compares one number by the tolerance", "[support][all_close]") {
  CHECK(1 + tolerance<float>(1, 1) / 2 == close<float>(1, 1));
  CHECK(1 + tolerance<float>(1, 1) != close<double>(1, 1));
}
