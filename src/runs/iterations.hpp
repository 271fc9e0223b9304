// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::measure {

/// Time of an iteration of a solver: `solve(iterations)` is timed at most five times, less what it does before the
/// first iteration. Empty for no iterations.
template <class Solve>
Sample time_iterations(const Solve& solve, int iterations, int repetitions, const Communicator& ranks = {}) {
  if (iterations == 0) return {};
  const int times = std::min(5, repetitions);
  const double start = time([&] { solve(0); }, times, ranks).median;
  const Sample sample = time_and_energy([&] { solve(iterations); }, times, ranks);
  const double before = start < sample.min ? start : 0;  // a short one drowns in noise: then it counts
  return rescale(sample, 1. / iterations, before);
}

}  // namespace miniapp::measure
