// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace miniapp::measure {

/// What a run takes at most at one time [bytes]. Where kernels run on the host, both parts are of one memory.
struct MemoryNeed {
  double host = 0, device = 0;
  double total() const { return host + device; }
};

/// The program itself, with its libraries and small tables.
inline constexpr double program_bytes = 8e6;

/// What is needed where all of these are, one after the other.
MemoryNeed most_of(const std::vector<MemoryNeed>& moments);

}  // namespace miniapp::measure
