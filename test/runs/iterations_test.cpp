// SPDX-License-Identifier: BSD-3-Clause
#include "runs/iterations.hpp"

#include <vector>

#include "miniapp/core/execution.hpp"
#include "runs/memory_need.hpp"
#include "support/catch.hpp"

TEST_CASE("An iteration is timed without what a solver does before the first", "[measure][iterations]") {
  const auto wait = [](double seconds) {
    const double start = measure::now();
    while (measure::now() - start < seconds) {
    }
  };
  std::vector<int> asked;
  const measure::Sample sample = measure::time_iterations(
      [&](int iterations) {
        asked.push_back(iterations);
        wait(0.05 + 0.001 * iterations);
      },
      10, 20);
  CHECK(sample.repetitions == 5);
  CHECK(sample.min < 0.005);  // 0.006 with what comes before
  CHECK(asked.front() == 0);
  CHECK(asked.back() == 10);
  CHECK(sample.min <= sample.median);
  CHECK(sample.median <= sample.max);
}

TEST_CASE("No iterations take no time and are not run", "[measure][iterations]") {
  CHECK(measure::time_iterations([](int) { FAIL(); }, 0, 20).repetitions == 0);
}

TEST_CASE("What is needed at one time after the other is the most", "[measure][memory]") {
  const measure::MemoryNeed most = measure::most_of({{10, 1}, {2, 8}, {3, 3}});
  CHECK(most.host == 10);
  CHECK(most.device == (runs_on_host ? 1 : 8));  // on a host both parts are of one memory
  CHECK(measure::most_of({}).total() == 0);
}
