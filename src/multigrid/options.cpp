// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/options.hpp"

namespace miniapp::multigrid {

LowestWork usual_lowest_work(double elements, int ranks) {
  const bool pays = elements > least_distributed && elements * (ranks - 1) > least_saved;
  return pays ? LowestWork::distributed : LowestWork::redundant;
}

std::vector<int> multigrid_orders(int order, const std::vector<int>& built) {
  std::vector<int> orders{order};
  while (orders.back() > 1) orders.push_back(lower_order(orders.back(), built));
  return orders;
}

}  // namespace miniapp::multigrid
