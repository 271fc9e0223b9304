// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/measure/cost.hpp"

namespace miniapp::measure {

/// Empirical copy bandwidth at a size, the roof of the tensor-product paper: bytes/2 are copied from device to device
/// ten times; bytes read and written over the mean time [bytes/s].
double copy_bandwidth(double bytes);

/// Rate of independent fused multiply-adds in registers, two operations each, best of five runs [1/s].
template <class Real>
double fma_rate();

/// Peak memory bandwidth by the device's data sheet: twice the memory clock times the bus [bytes/s]; 0 where the device
/// does not report it.
double peak_bandwidth();

/// Bandwidth of team scratch, all multiprocessors together: units * 32 banks * 4 bytes * clock [bytes/s]; 0 where the
/// device does not report it.
double scratch_bandwidth();

/// Size of the last cache before the device's memory [bytes], on hosts of those that one thread can reach; 0 where the
/// device does not report it.
double last_level_cache();

/// The copy roof of an operation, and the size at which it was measured.
struct CopyRoof {
  double bytes = 0;      ///< that were read and written [bytes]
  double bandwidth = 0;  ///< [bytes/s]
  /// Least time that an operation can take [s].
  double time(const Cost& cost) const { return cost.bytes / bandwidth; }
};

/// A copy roof takes no more memory than this [bytes]: it is measured beside the work, and no cache is as large.
inline constexpr double most_copied = 1e9;

/// copy_bandwidth() at the bytes of an operation, at most_copied where they are more. Takes that much memory, and gives
/// it back.
CopyRoof copy_roof(const Cost& cost);

}  // namespace miniapp::measure
