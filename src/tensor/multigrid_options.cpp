// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/multigrid_options.hpp"

#include <algorithm>

namespace miniapp::tensor {

std::vector<int> multigrid_orders(int order, const std::vector<int>& built) {
  std::vector<int> orders{order};
  while (orders.back() > 1) {
    int next = 1;
    for (const int lower : built)
      if (2 * lower <= orders.back()) next = std::max(next, lower);
    orders.push_back(next);
  }
  return orders;
}

}  // namespace miniapp::tensor
