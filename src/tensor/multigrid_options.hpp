// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace miniapp::tensor {

/// The orders of a hierarchy, from `order` down to 1: each is at most half of the one before. Those between are among
/// `built`, the orders that have kernels. Order 1 needs none.
std::vector<int> multigrid_orders(int order, const std::vector<int>& built);

}  // namespace miniapp::tensor
