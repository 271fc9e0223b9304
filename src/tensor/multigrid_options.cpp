// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/multigrid_options.hpp"

namespace miniapp::tensor {

std::vector<int> multigrid_orders(int order, const std::vector<int>& built) {
  std::vector<int> orders{order};
  while (orders.back() > 1) orders.push_back(lower_order(orders.back(), built));
  return orders;
}

}  // namespace miniapp::tensor
