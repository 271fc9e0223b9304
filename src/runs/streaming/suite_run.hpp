// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "miniapp/measure/bandwidth_model.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "runs/streaming/suite.hpp"

namespace miniapp::streaming {

/// What one test measured and found.
struct SuiteResult {
  std::vector<measure::Timing> curve;  ///< bytes by the paper's count, of all ranks; none with verify_only
  std::vector<measure::Sample> times;  ///< times of one run, one per entry of the curve, which has their medians
  std::vector<double> moved;           ///< bytes that are moved, of all ranks, one per size
  std::vector<double> entries;         ///< global entries of all ranks, one per size
  double error = 0;                    ///< largest difference from the reference, relative to the tolerance
  bool passed() const { return error <= 1; }
};

/// Called before each size: how many are done, of how many.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

/// Runs one of BS0 to BS5 on all sizes of vectors, each verified and timed. On several ranks all run at once, each on
/// vectors of its own, and sums are those of all. Collective, as below.
SuiteResult run_on_vectors(const Test& test, const SuiteSettings& settings, const Progress& progress);

/// Runs tests of BS6 to BS8 on all meshes of an order, each verified and timed: one result per test. Each rank has a
/// mesh of its own, and nothing is exchanged.
std::vector<SuiteResult> run_on_meshes(const std::vector<int>& tests, int order, const SuiteSettings& settings,
                                       const Progress& progress);

}  // namespace miniapp::streaming
