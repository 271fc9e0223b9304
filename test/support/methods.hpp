// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/elasticity/integrator.hpp"

namespace miniapp::test {

/// The methods that this build has at an order.
inline std::vector<elasticity::Method> methods(int order) {
  std::vector<elasticity::Method> able;
  for (const elasticity::Method method : members<elasticity::Method>())
    if (why_not(method, order).empty()) able.push_back(method);
  return able;
}

}  // namespace miniapp::test
