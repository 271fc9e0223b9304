// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/options.hpp"

#include "miniapp/core/execution.hpp"
#include "miniapp/solver/boomer_amg.hpp"

namespace miniapp::multigrid {

LowestWork usual_lowest_work(int ranks, int order) {
  const int most = 2 + 2 * order;
  return runs_on_host && solver::has_hypre() && ranks > most ? LowestWork::distributed : LowestWork::redundant;
}

std::vector<int> multigrid_orders(int order, const std::vector<int>& built) {
  std::vector<int> orders{order};
  while (orders.back() > 1) orders.push_back(lower_order(orders.back(), built));
  return orders;
}

}  // namespace miniapp::multigrid
