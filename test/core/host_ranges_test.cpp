// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/host_ranges.hpp"

#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"
#include "support/catch.hpp"
#include "support/host_threads.hpp"

TEST_CASE("Ranges of the host's threads hold each entry once, in order", "[core][host_ranges]") {
  const test::HostThreads threads(GENERATE(1, 2, 7));
  const std::size_t size = GENERATE(0, 1, 5, 1000, 1003);

  const HostRanges ranges(size, 10);

  CHECK(ranges.begin(0) == 0);
  CHECK(ranges.end(ranges.count() - 1) == size);
  for (int range = 0; range < ranges.count(); ++range) {
    CHECK(ranges.begin(range) <= ranges.end(range));
    if (ranges.count() > 1) CHECK(ranges.end(range) - ranges.begin(range) >= 10);
  }
}

TEST_CASE("There are as many ranges as threads, but none smaller than is worth one", "[core][host_ranges]") {
  const test::HostThreads threads(5);

  CHECK(HostRanges(1000, 10).count() == 5);
  CHECK(HostRanges(30, 10).count() == 3);
  CHECK(HostRanges(9, 10).count() == 1);
  CHECK(HostRanges(0, 0).count() == 1);
}

TEST_CASE("for_host visits each entry once, by any number of threads", "[core][host_ranges]") {
  const test::HostThreads threads(GENERATE(1, 2, 7));
  std::vector<int> visits(1003, 0);

  for_host(
      visits.size(), [&](std::size_t i) { ++visits[i]; }, 10);

  CHECK(visits == std::vector<int>(1003, 1));
}

TEST_CASE("What the first range throws is thrown, after all ranges have ended", "[core][host_ranges]") {
  const test::HostThreads threads(4);
  const HostRanges ranges(100, 1);
  std::atomic<int> ended = 0;

  const auto run = [&] {
    ranges.for_each([&](int range) {
      ++ended;
      if (range > 0) throw InputError("range " + std::to_string(range));
    });
  };

  CHECK_THROWS_WITH(run(), "range 1");
  CHECK(ended == 4);
}

TEST_CASE("The number of threads is as before once none is set", "[core][host_ranges]") {
  const int before = host_threads();
  {
    const test::HostThreads threads(before + 3);
    CHECK(host_threads() == before + 3);
  }
  CHECK(host_threads() == before);
  CHECK(before >= 1);
}
