// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/stopwatch.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include "support/all_close.hpp"

namespace {

constexpr double nap = 2e-3;  // [s]

void take_nap() { std::this_thread::sleep_for(std::chrono::duration<double>(nap)); }

std::vector<std::string> names(const measure::Phases& phases) {
  std::vector<std::string> result;
  for (const auto& [name, seconds] : phases.seconds()) result.push_back(name);
  return result;
}

}  // namespace

TEST_CASE("Time does not run backwards", "[measure][stopwatch]") {
  double before = measure::now();

  for (int i = 0; i < 1000; ++i) {
    const double after = measure::now();
    CHECK(after >= before);
    before = after;
  }
}

TEST_CASE("A sample's median lies between its minimum and its maximum", "[measure][stopwatch]") {
  const int repetitions = GENERATE(1, 2, 3, 10);

  const measure::Sample sample = measure::time(take_nap, repetitions);

  CHECK(sample.repetitions == repetitions);
  CHECK(sample.min >= nap);
  CHECK(sample.min <= sample.median);
  CHECK(sample.median <= sample.max);
  if (repetitions == 1) CHECK(sample.min == sample.max);
}

TEST_CASE("A long body runs once to warm up and once per repetition", "[measure][stopwatch]") {
  int calls = 0;

  measure::time(
      [&] {
        ++calls;
        take_nap();
      },
      5);

  CHECK(calls == 6);
}

TEST_CASE("A short body is repeated within a sample and counted once", "[measure][stopwatch]") {
  long calls = 0;

  const measure::Sample sample = measure::time([&] { ++calls; }, 5);

  CHECK(calls > 5 * 2);
  CHECK(sample.max < 1e-3);
}

TEST_CASE("Samples are enough by number, or by their time or spread where none is asked for", "[measure][stopwatch]") {
  const std::vector<double> alike{1, 1.01, 1.015}, apart{1, 1.01, 1.03};

  CHECK_FALSE(measure::are_enough({}, 1, 0));
  CHECK_FALSE(measure::are_enough({1, 1}, 1, 0));  // 3 at least
  CHECK(measure::are_enough(alike, 0, 0));
  CHECK_FALSE(measure::are_enough(apart, 0.1, 0));
  CHECK(measure::are_enough(apart, 0.2, 0));
  std::vector<double> many(20, 1);
  many[7] = 2;
  CHECK(measure::are_enough(many, 0, 0));
  CHECK_FALSE(measure::are_enough({many.begin() + 1, many.end()}, 0, 0));
  CHECK_FALSE(measure::are_enough(alike, 9, 4));
  CHECK(measure::are_enough(apart, 0, 3));
  CHECK(measure::are_enough({1}, 0, 1));

  CHECK(measure::are_enough({1}, 0.2, 0, 1));  // a solution that took long enough is the only one
  CHECK_FALSE(measure::are_enough({1}, 0.1, 0, 1));
  CHECK_FALSE(measure::are_enough({1}, 0.2, 2, 1));
}

TEST_CASE("What is timed once is run once", "[measure][stopwatch]") {
  int calls = 0;

  const double seconds = measure::time_once([&] {
    ++calls;
    take_nap();
  });

  CHECK(calls == 1);
  CHECK(seconds >= nap);
}

TEST_CASE("A sample keeps its times in order, also rescaled", "[measure][stopwatch]") {
  const measure::Sample sample = measure::summarise({3, 1, 2, 7});

  CHECK(sample.all == std::vector<double>{3, 1, 2, 7});
  CHECK(sample.median == 2.5);
  const measure::Sample half = measure::rescale(sample, 0.5, 1);
  CHECK(half.all == std::vector<double>{1, 0, 0.5, 3});
  CHECK(half.min == 0);
  CHECK(half.median == 0.75);
  CHECK(half.max == 3);
  CHECK(half.repetitions == 4);
}

TEST_CASE("Phases appear in the order in which they first ran", "[measure][stopwatch]") {
  measure::Phases phases;

  phases.time("mesh", [] {});
  phases.time("numbering", [] {});
  phases.time("mesh", [] {});

  CHECK(names(phases) == std::vector<std::string>{"mesh", "numbering"});
}

TEST_CASE("A phase that runs twice is summed, and the total is the sum of all", "[measure][stopwatch]") {
  measure::Phases phases;

  phases.time("mesh", take_nap);
  phases.time("mesh", take_nap);
  phases.time("numbering", take_nap);

  CHECK(phases.seconds()[0].second >= 2 * nap);
  CHECK(phases.seconds()[1].second >= nap);
  CHECK(phases.total() == close<double>(phases.seconds()[0].second + phases.seconds()[1].second, 2));
  CHECK(measure::Phases().total() == 0);
  CHECK(phases.of("mesh") == phases.seconds()[0].second);
  CHECK(phases.of("assembly") == 0);
}

TEST_CASE("A phase returns what its body returns", "[measure][stopwatch]") {
  measure::Phases phases;

  CHECK(phases.time("answer", [] { return 42; }) == 42);
}

TEST_CASE("A phase that fails is timed and its error passes", "[measure][stopwatch]") {
  measure::Phases phases;

  CHECK_THROWS_AS(phases.time("broken", [] { throw std::runtime_error("broken"); }), std::runtime_error);
  CHECK(names(phases) == std::vector<std::string>{"broken"});
}

TEST_CASE("Seconds that were measured elsewhere are added to a phase", "[measure][stopwatch]") {
  measure::Phases phases;

  phases.add("elsewhere", 1);
  phases.add("elsewhere", 0.5);

  CHECK(phases.of("elsewhere") == 1.5);
  CHECK(phases.total() == 1.5);
}
