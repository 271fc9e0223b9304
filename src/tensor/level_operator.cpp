// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/level_operator.hpp"

#include <utility>

#include "miniapp/core/orders.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "tensor/order_kernels.hpp"

namespace miniapp::tensor {
namespace {

template <int order, int... rest>
std::unique_ptr<ElementOperator<float>> dispatch(const Discretisation& d, std::integer_sequence<int, order, rest...>) {
  if (d.order == order) return make_order_level_operator<order>(d);
  if constexpr (sizeof...(rest) > 0) return dispatch(d, std::integer_sequence<int, rest...>());
  return nullptr;
}

}  // namespace

std::unique_ptr<ElementOperator<float>> make_level_operator(const Discretisation& d) {
  if (auto own = dispatch(d, std::integer_sequence<int, MINIAPP_ORDERS>())) return own;
  return make_operator<float>(fastest(d.problem, d.order, sizeof(float)), d);
}

}  // namespace miniapp::tensor
