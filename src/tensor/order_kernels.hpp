// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// The kernels of one order, defined by a translation unit of its own (order.cpp.in); nullptr where this build has
/// none.
template <int order, class Real>
std::unique_ptr<ElementOperator<Real>> make_order_operator(const Variant& variant, const Discretisation& problem);

}  // namespace miniapp::tensor
