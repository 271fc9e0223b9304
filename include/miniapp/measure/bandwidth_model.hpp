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
  double t0 = 0;         ///< what a launch costs, whatever it moves [s]
  double bandwidth = 0;  ///< of large sizes, Wmax [bytes/s]; infinite where time does not grow with size
  double r_squared = 0;  ///< of the times: the part of their variance that the model explains
  double worst = 0;      ///< largest |T - model| / T

  double seconds(double bytes) const { return t0 + bytes / bandwidth; }
  /// The bytes at which 80 % of the bandwidth are reached, 4 t0 bandwidth: the Fischer-Brown point.
  double bytes_at_80_percent() const { return 4 * t0 * bandwidth; }
};

/// Least squares of the relative residuals (T - model) / T over `timings`: each size counts alike, where those of the
/// times themselves would leave t0, microseconds, to the noise of the largest sizes, milliseconds. Two sizes at least,
/// else all zero.
BandwidthModel fit(const std::vector<Timing>& timings);

}  // namespace miniapp::measure
