// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "measure/energy.hpp"
#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::measure {

/// Time of an iteration of a solver: (t - t0) / iterations, where t0 is what `solve(0)` takes, before the first
/// iteration and after the last. Where `repeat` does not say how often, the solution that took `solved` [s] for so many
/// iterations is the sample, and more are taken only where it was shorter than 0.2 s; else `solve(iterations)` is
/// timed, of `most` iterations at most. Empty for no iterations.
template <class Solve>
Sample time_iterations(const Solve& solve, int iterations, double solved, int most, const Repeat& repeat,
                       const Communicator& ranks = {}) {
  if (iterations == 0) return {};
  const Region region("timing");
  const auto seconds_of = [&](int count) { return time_once([&] { solve(count); }, ranks); };
  const bool exact = repeat.times > 0;
  const int timed = exact ? std::min(most, iterations) : iterations;
  const double before = seconds_of(0);
  std::vector<double> seconds;
  if (!exact) seconds.push_back(solved);
  double took = exact ? 0 : solved;
  while (!are_enough(seconds, took, repeat.times, 1)) {
    seconds.push_back(seconds_of(timed));
    took += seconds.back();
  }
  Sample sample = summarise(std::move(seconds));
  if (repeat.energy) sample.joules = joules([&] { solve(timed); }, sample.median, ranks);
  return rescale(sample, 1. / timed, before < sample.min ? before : 0);  // a short one drowns in noise: then it counts
}

}  // namespace miniapp::measure
