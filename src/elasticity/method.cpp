// SPDX-License-Identifier: BSD-3-Clause
/// Properties of the methods that are known without running them.
#include <algorithm>

#include "miniapp/core/orders.hpp"
#include "miniapp/elasticity/integrator.hpp"

namespace miniapp::elasticity {

bool reads_jacobians(Method method) { return method == Method::reg_nojac || method == Method::shm_nojac; }

Variant variant_of(Method method) {
  const bool in_scratch = method == Method::shm_jac || method == Method::shm_nojac;
  return {in_scratch ? Storage::scratch : Storage::registers,
          reads_jacobians(method) ? Jacobian::read : Jacobian::computed};
}

std::string why_not(Method method, int order) {
  constexpr int built[] = {MINIAPP_ORDERS};
  if (order < 1 || order > basis::largest_prism_order) return "accepted are orders 1..7";
  if (std::find(std::begin(built), std::end(built), order) == std::end(built))
    return "this build holds no kernels of order " + std::to_string(order) + " (MINIAPP_ORDERS)";
  if (!runs_on_host && !has_warps && (method == Method::products || method == Method::split))
    return "products and split need warps of 32 threads, which this back end has not";
  return "";
}

}  // namespace miniapp::elasticity
