// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// The kernels of a problem and an order except the rungs; nullptr if this build has none. Each order has its own
/// translation unit (order.cpp.in), on GPUs each problem in each precision has (operators.cpp.in).
template <Problem problem, int order, class Real>
std::unique_ptr<ElementOperator<Real>> make_problem_operator(const Variant& variant, const Discretisation& d);

/// What make_level_operator() (level_operator.hpp) has instead of the fastest kernel; nullptr where it has that one.
template <int order>
std::unique_ptr<ElementOperator<float>> make_order_level_operator(const Discretisation& problem);

/// Rung number `index` + 1 of the problem's ladder, defined with those of neighbouring orders (rungs.cpp.in); nullptr
/// if there is none.
template <int order>
std::unique_ptr<ElementOperator<double>> make_order_rung(int index, const Discretisation& problem);

}  // namespace miniapp::tensor
