// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/order_kernels.hpp"
#include "tensor/team_kernel.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "tensor/lanes_kernel.hpp"
#else
#include "tensor/lines_kernel.hpp"
#endif

namespace miniapp::tensor {
namespace {

template <Problem problem, int order, class Real>
std::unique_ptr<ElementOperator<Real>> make_problem_operator(Kernel kernel, [[maybe_unused]] Geometry geometry,
                                                             const Discretisation& discretisation) {
  switch (kernel) {
    case Kernel::team:
      return std::make_unique<TeamOperator<problem, order, Real>>(discretisation);
#ifdef MINIAPP_RUNS_ON_HOST
    case Kernel::lanes:
      if (geometry == Geometry::computed)
        return std::make_unique<LanesOperator<problem, Geometry::computed, order, Real>>(discretisation);
      return std::make_unique<LanesOperator<problem, Geometry::stored, order, Real>>(discretisation);
#else
    case Kernel::lines:
      return std::make_unique<LinesOperator<problem, order, Real>>(discretisation);
#endif
    default:
      return nullptr;
  }
}

}  // namespace

template <int order, class Real>
std::unique_ptr<ElementOperator<Real>> make_order_operator(Kernel kernel, Geometry geometry,
                                                           const Discretisation& discretisation) {
  switch (discretisation.problem) {
    case Problem::bp1_0:
      return make_problem_operator<Problem::bp1_0, order, Real>(kernel, geometry, discretisation);
    case Problem::bp3_0:
      return make_problem_operator<Problem::bp3_0, order, Real>(kernel, geometry, discretisation);
    case Problem::bp3_5:
      return make_problem_operator<Problem::bp3_5, order, Real>(kernel, geometry, discretisation);
  }
  return nullptr;
}

}  // namespace miniapp::tensor
