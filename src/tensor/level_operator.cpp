// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/level_operator.hpp"

#include "core/with_order.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "tensor/order_kernels.hpp"

namespace miniapp::tensor {
std::unique_ptr<ElementOperator<float>> make_level_operator(const Discretisation& d) {
  using Made = std::unique_ptr<ElementOperator<float>>;
  if (Made own = with_order<Made>(d.order, [&]<int order>() { return make_order_level_operator<order>(d); }))
    return own;
  return make_operator<float>(fastest(d.problem, d.order, sizeof(float)), d);
}

}  // namespace miniapp::tensor
