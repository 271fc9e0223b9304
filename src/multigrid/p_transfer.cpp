// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/p_transfer.hpp"

#include <fmt/format.h>

#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/core/orders.hpp"
#include "multigrid/order_kernels.hpp"

namespace miniapp::multigrid {
namespace {

template <int order, int... rest>
std::unique_ptr<PTransfer> dispatch(const Discretisation& coarse, const Discretisation& fine,
                                    std::integer_sequence<int, order, rest...>) {
  if constexpr (order > 1)
    if (fine.order == order) return make_order_transfer<order>(coarse, fine);
  if constexpr (sizeof...(rest) > 0) return dispatch(coarse, fine, std::integer_sequence<int, rest...>());
  throw InputError(
      fmt::format("transfer between orders: order {}; accepted are the orders above 1 of this build", fine.order));
}

}  // namespace

std::unique_ptr<PTransfer> make_transfer(const Discretisation& coarse, const Discretisation& fine) {
  require(coarse.space.components == fine.space.components && coarse.mesh.num_elements() == fine.mesh.num_elements(),
          "transfer between orders: the spaces differ in more; accepted are two of one mesh with as many components");
  const int lower = lower_order(fine.order, built_orders());
  require(coarse.order == lower, fmt::format("transfer between orders: from order {} to {}; accepted is order {}",
                                             coarse.order, fine.order, lower));
  return dispatch(coarse, fine, std::integer_sequence<int, MINIAPP_ORDERS>());
}

}  // namespace miniapp::multigrid
