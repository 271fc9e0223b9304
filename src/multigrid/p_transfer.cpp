// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/p_transfer.hpp"

#include <fmt/format.h>

#include "core/with_order.hpp"
#include "miniapp/core/error.hpp"
#include "multigrid/order_kernels.hpp"

namespace miniapp::multigrid {

std::unique_ptr<PTransfer> make_transfer(const Discretisation& coarse, const Discretisation& fine) {
  require(coarse.space.components == fine.space.components && coarse.mesh->num_elements() == fine.mesh->num_elements(),
          "transfer between orders: the spaces differ in more; accepted are two of one mesh with as many components");
  const int lower = lower_order(fine.order, built_orders());
  require(coarse.order == lower, fmt::format("transfer between orders: from order {} to {}; accepted is order {}",
                                             coarse.order, fine.order, lower));
  using Made = std::unique_ptr<PTransfer>;
  Made made = with_order<Made>(fine.order, [&]<int order>() { return make_order_transfer<order>(coarse, fine); });
  require(made != nullptr,
          fmt::format("transfer between orders: order {}; accepted are the orders above 1 of this build", fine.order));
  return made;
}

}  // namespace miniapp::multigrid
