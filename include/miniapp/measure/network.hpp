// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/communicator.hpp"

namespace miniapp::measure {

/// What exchanges between ranks cost; medians, from host memory to host memory.
struct Network {
  struct Message {
    double bytes, seconds;
  };
  /// Ranks 2 k and 2 k + 1 send each other so many bytes, all pairs at once; a last rank without a partner waits.
  std::vector<Message> messages;
  double sum = 0;  ///< time of a sum of one number over all ranks, known to all [s]
};

/// Messages of 8 bytes to 2 MB. Collective.
Network measure_network(const Communicator& ranks);

}  // namespace miniapp::measure
