// SPDX-License-Identifier: BSD-3-Clause
#include "runs/memory_need.hpp"

#include <algorithm>

#include "miniapp/core/execution.hpp"

namespace miniapp::measure {

MemoryNeed most_of(const std::vector<MemoryNeed>& moments) {
  MemoryNeed most;
  for (const MemoryNeed& moment : moments) {
    if (!runs_on_host)
      most = {std::max(most.host, moment.host), std::max(most.device, moment.device)};
    else if (moment.total() > most.total())
      most = moment;
  }
  return most;
}

}  // namespace miniapp::measure
