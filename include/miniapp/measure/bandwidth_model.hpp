// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace miniapp::measure {

/// The bytes that an operation moved, and how long it took.
struct Timing {
  double bytes, seconds;
};

/// The streaming paper's model of an operation that moves B bytes: T(B) = t0 + B / bandwidth.
struct BandwidthModel {
  double t0 = 0;         ///< cost of a launch, independent of the bytes moved [s]
  double bandwidth = 0;  ///< asymptotic bandwidth Wmax [bytes/s]; infinite where time does not grow with size
  double r_squared = 0;  ///< the fraction of the times' variance that the model explains
  double worst = 0;      ///< largest |T - model| / T
  int sizes = 0;         ///< number of sizes that the model was fitted to

  double seconds(double bytes) const { return t0 + bytes / bandwidth; }
  /// Whether r_squared says anything: a line goes through any two points.
  bool is_tested() const { return sizes > 2; }
  /// Whether the times follow a line at all. On hosts caches bend it.
  bool fits() const { return r_squared >= 0.9; }
  /// The bytes at which 80 % of the bandwidth is reached, 4 t0 bandwidth: the Fischer-Brown point.
  double bytes_at_80_percent() const { return 4 * t0 * bandwidth; }
};

/// Least squares of the relative residuals (T - model) / T over `timings`, with t0 >= 0: each size has the same weight.
/// With absolute residuals the noise of the largest sizes (milliseconds) would hide t0 (microseconds). Needs at least
/// two sizes, else all results are zero.
BandwidthModel fit(const std::vector<Timing>& timings);

}  // namespace miniapp::measure
