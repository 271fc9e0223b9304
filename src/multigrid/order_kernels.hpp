// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/multigrid/p_transfer.hpp"
#include "miniapp/multigrid/schwarz.hpp"

namespace miniapp::multigrid {

/// The kernels of one order, each order in its own translation unit (order.cpp.in).
template <int order>
std::unique_ptr<Schwarz> make_order_schwarz(const Discretisation& d);

/// Between this order and the next lower one of the build; nullptr for order 1.
template <int order>
std::unique_ptr<PTransfer> make_order_transfer(const Discretisation& coarse, const Discretisation& fine);

}  // namespace miniapp::multigrid
