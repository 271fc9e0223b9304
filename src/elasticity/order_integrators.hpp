// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/elasticity/integrator.hpp"

namespace miniapp::elasticity {

/// A kernel of one order, one translation unit per order (order.cpp.in).
template <int order, class Real>
std::unique_ptr<Integrator<Real>> make_order_integrator(Method method, const Plan& plan);

}  // namespace miniapp::elasticity
