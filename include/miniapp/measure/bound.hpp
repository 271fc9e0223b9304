// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>

#include "miniapp/core/names.hpp"

namespace miniapp::measure {

/// Rates of a device, as measured, that no operation passes; 0 where one is unknown, which then limits nothing.
struct Limits {
  double memory = 0;           ///< memory_rate() at the size of the operation [bytes/s]
  double multiplications = 0;  ///< half of fma_rate() [1/s]
  double scratch = 0;          ///< scratch_bandwidth() [bytes/s]
};

/// What an operation cannot do without.
struct Work {
  double bytes = 0;            ///< reads and writes in main memory [bytes]
  double multiplications = 0;  ///< fused with an addition or not; additions alone are not counted, since some
                               ///< processors do them at the same time
  double scratch_bytes = 0;    ///< reads and writes in team scratch [bytes], where threads share no accesses
};

enum class Limit { memory, multiplications, scratch };
constexpr auto names(Limit) { return std::array{"memory", "multiplications", "scratch"}; }

/// The least time of an operation: max(bytes / memory, multiplications / rate, scratch bytes / scratch) [s].
struct Bound {
  double seconds = 0;
  Limit by = Limit::memory;
};
inline Bound bound(const Work& work, const Limits& limits) {
  const auto time = [](double amount, double rate) { return rate > 0 ? amount / rate : 0; };
  return std::max({Bound{time(work.bytes, limits.memory), Limit::memory},
                   Bound{time(work.multiplications, limits.multiplications), Limit::multiplications},
                   Bound{time(work.scratch_bytes, limits.scratch), Limit::scratch}},
                  [](const Bound& a, const Bound& b) { return a.seconds < b.seconds; });
}

}  // namespace miniapp::measure
