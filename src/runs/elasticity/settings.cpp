// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/settings.hpp"

#include <algorithm>

namespace miniapp::elasticity {

double MatrixSettings::matrix_bytes(int order) const {
  const double n = basis::number_of_shape_functions(order);
  return 9 * n * n * double(word());
}

std::int64_t MatrixSettings::automatic_elements(int order) const {
  const double bytes = runs_on_host ? 128e6 : 4e9;
  return std::max<std::int64_t>(8, static_cast<std::int64_t>(bytes / matrix_bytes(order)));
}

std::int64_t MatrixSettings::elements_of(int order) const {
  if (elements > 0) return verify_only ? std::min(elements, automatic_elements(order)) : elements;
  return automatic_elements(order);
}

bool of_paper(Method method) { return method != Method::products && method != Method::split; }

std::vector<int> built_orders() {
  std::vector<int> built;
  for (int order = 1; order <= basis::largest_prism_order; ++order)
    if (why_not(Method::reg_jac, order).empty()) built.push_back(order);
  return built;
}

Method fast_method(int order) {
  for (const Method method : {order < 3 ? Method::products : Method::split, Method::products})
    if (why_not(method, order).empty()) return method;
  return Method::reg_jac;
}

}  // namespace miniapp::elasticity
