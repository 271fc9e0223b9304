// SPDX-License-Identifier: BSD-3-Clause
#include "runs/iterations.hpp"

#include <vector>

#include "miniapp/core/execution.hpp"
#include "runs/memory_need.hpp"
#include "support/catch.hpp"

namespace {

/// Takes `start` [s] and `step` [s] per iteration; notes what it was asked for.
struct Solver {
  double start, step;
  std::vector<int>& asked;
  void operator()(int iterations) const {
    asked.push_back(iterations);
    const double begin = measure::now(), all = start + step * iterations;
    while (measure::now() - begin < all) {
    }
  }
};

}  // namespace

TEST_CASE("An iteration is timed as often as asked for, without what a solver does before the first",
          "[measure][iterations]") {
  std::vector<int> asked;

  const measure::Sample sample = measure::time_iterations(Solver{0.05, 0.001, asked}, 30, 9, 10, {4});

  CHECK(sample.repetitions == 4);
  CHECK(sample.min < 0.005);  // 0.006 with what comes before
  CHECK(asked == std::vector<int>{0, 10, 10, 10, 10});
}

TEST_CASE("The solution itself times its iterations, with more solutions where it was short", "[measure][iterations]") {
  std::vector<int> asked;
  const Solver solve{0.02, 0.001, asked};

  const measure::Sample once = measure::time_iterations(solve, 100, 0.3, 20, {});
  CHECK(once.repetitions == 1);
  CHECK(asked == std::vector<int>{0});
  CHECK(once.median < 0.00281);  // (0.3 - 0.02) / 100
  CHECK(once.median > 0.0020);

  asked.clear();
  const measure::Sample several = measure::time_iterations(solve, 30, 0.09, 20, {});
  CHECK(several.repetitions >= 3);
  CHECK(asked.size() == static_cast<std::size_t>(several.repetitions));  // the solution is the first sample
  CHECK(asked.back() == 30);
}

TEST_CASE("No iterations take no time and are not run", "[measure][iterations]") {
  CHECK(measure::time_iterations([](int) { FAIL(); }, 0, 1, 20, {}).repetitions == 0);
}

TEST_CASE("What is needed at one time after the other is the most", "[measure][memory]") {
  const measure::MemoryNeed most = measure::most_of({{10, 1}, {2, 8}, {3, 3}});
  CHECK(most.host == 10);
  CHECK(most.device == (runs_on_host ? 1 : 8));  // on a host both parts are of one memory
  CHECK(measure::most_of({}).total() == 0);
}
