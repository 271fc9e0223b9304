// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// The operator of a problem in single precision for smoothers, which need not have the problem's own quadrature: BP3.0
/// on hosts has order + 1 Gauss points per direction instead of order + 2, at order 3 half as many. Where the problem
/// has a special geometry, and elsewhere, it is the problem's fastest kernel. Errors: as make_operator().
std::unique_ptr<ElementOperator<float>> make_level_operator(const Discretisation& d);

}  // namespace miniapp::tensor
