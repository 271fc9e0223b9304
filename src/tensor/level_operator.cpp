// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/level_operator.hpp"

#include "core/with_order.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "tensor/order_kernels.hpp"

namespace miniapp::tensor {
std::unique_ptr<ElementOperator<float>> make_level_operator(const Discretisation& d) {
  using Made = std::unique_ptr<ElementOperator<float>>;
  if (d.coefficient.extent(0) > 0 || d.suitable_geometry()) return make_operator<float>(fastest(d, sizeof(float)), d);
  if (Made own = with_order<Made>(d.order, [&]<int order>() { return make_order_level_operator<order>(d); })) {
    own->set_surface(d.surface);
    return own;
  }
  return make_operator<float>(fastest(d, sizeof(float)), d);
}

}  // namespace miniapp::tensor
