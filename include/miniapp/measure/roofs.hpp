// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/measure/cost.hpp"

namespace miniapp::measure {

/// Empirical copy bandwidth at a size, the roof of the tensor-product paper: bytes/2 are copied from device to device
/// ten times, or as often as fits into 0.03 s, at least twice; the result is bytes read and written / mean time
/// [bytes/s]. On x86 hosts the same with stores that bypass the caches, where that is faster. Several ranks do so at
/// once, each with as many bytes: the result is that of all.
double copy_bandwidth(double bytes, const Communicator& ranks = {});

/// The highest rate at which the device moves data of a size: of copies as above, of reading as many bytes, and of
/// b = a + b / 2, best of two or, of less than 50 MB, of up to 20 [bytes/s]. Ranks as above.
double memory_rate(double bytes, const Communicator& ranks = {});

/// Rate of independent fused multiply-adds in registers, two operations each, best of five runs, on hosts of ten
/// short ones [1/s]. Several ranks do so at once: the result is that of all.
double fma_rate(Precision precision, const Communicator& ranks = {});

/// Peak memory bandwidth by the device's data sheet: twice the memory clock times the bus [bytes/s]; 0 where the device
/// does not report it.
double peak_bandwidth();

/// Bandwidth of team scratch, summed over all multiprocessors: units * 32 banks * 4 bytes * clock [bytes/s]; 0 where
/// the device does not report it.
double scratch_bandwidth();

/// Size of the last-level cache [bytes], on hosts the part that one thread can reach; 0 where the device does not
/// report it.
double last_level_cache();

/// The copy roof of an operation, of all ranks at once, and the size at which it was measured.
struct CopyRoof {
  double bytes = 0;      ///< what all ranks read and wrote [bytes]
  double bandwidth = 0;  ///< [bytes/s]
  /// Least time of an operation by this roof [s].
  double time(const Cost& cost) const { return cost.bytes / bandwidth; }
};

/// The most memory that a roof uses [bytes]: it is measured while the problem is in memory. 1 GB, as no cache is as
/// large; for one thread of a host eight times its last-level cache suffices, and to touch more takes longer than to
/// measure.
double most_copied();

/// copy_bandwidth() at the bytes of an operation of one rank, the most of all ranks, but at most most_copied().
/// Allocates that much memory temporarily. Collective.
CopyRoof copy_roof(double bytes, const Communicator& ranks = {});

/// The copy roof of an operation with the memory_rate() at the same size.
struct MemoryRoof : CopyRoof {
  double memory = 0;  ///< [bytes/s]
};
MemoryRoof memory_roof(double bytes, const Communicator& ranks = {});

}  // namespace miniapp::measure
