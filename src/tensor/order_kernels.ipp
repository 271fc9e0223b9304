// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/order_kernels.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "tensor/lanes/lanes_kernel.hpp"
#else
#include "tensor/lines/box_lines_operator.hpp"
#include "tensor/lines/lines_operator.hpp"
#include "tensor/lines/tiles_operator.hpp"
#endif

namespace miniapp::tensor {

template <Problem problem, int order, class Real>
std::unique_ptr<ElementOperator<Real>> make_problem_operator(const Variant& variant,
                                                             const Discretisation& discretisation) {
  // a mass of parallelepipeds needs det J alone, as on boxes
  [[maybe_unused]] const Geometry geometry =
      variant.geometry == Geometry::affine && !has_stiffness(problem) ? Geometry::boxes : variant.geometry;
  [[maybe_unused]] const bool computed = geometry == Geometry::computed;
  switch (variant.kernel) {
#ifdef MINIAPP_RUNS_ON_HOST
    case Kernel::lanes:
      if (computed)
        return make_lanes_operator<problem, Geometry::computed, order, Real>(discretisation, discretisation.basis);
      if (geometry == Geometry::boxes)
        return make_lanes_operator<problem, Geometry::boxes, order, Real>(discretisation, discretisation.basis);
      if constexpr (has_stiffness(problem))
        if (geometry == Geometry::affine)
          return make_lanes_operator<problem, Geometry::affine, order, Real>(
              discretisation, is_collocated(problem) ? discretisation.basis : basis::TensorBasis(order, order + 1));
      return make_lanes_operator<problem, Geometry::stored, order, Real>(discretisation, discretisation.basis);
#else
    case Kernel::lines:
      if constexpr (has_stiffness(problem))
        if (computed && discretisation.coefficient.extent(0) > 0)
          return std::make_unique<LinesOperator<problem, Geometry::computed, order, Real, true>>(discretisation);
      if (computed) return std::make_unique<LinesOperator<problem, Geometry::computed, order, Real>>(discretisation);
      if (geometry == Geometry::boxes) return std::make_unique<BoxLinesOperator<problem, order, Real>>(discretisation);
      if constexpr (has_stiffness(problem))
        if (geometry == Geometry::affine)
          return std::make_unique<LinesOperator<problem, Geometry::affine, order, Real>>(discretisation);
      return std::make_unique<LinesOperator<problem, Geometry::stored, order, Real>>(discretisation);
    case Kernel::tiles:
      if constexpr (problem == Problem::bp3_5 && order == 7 && std::is_same_v<Real, double>)
        return std::make_unique<TilesOperator>(discretisation);
      return nullptr;
#endif
    default:
      return nullptr;
  }
}

template <int order>
std::unique_ptr<ElementOperator<float>> make_order_level_operator([[maybe_unused]] const Discretisation& d) {
#ifdef MINIAPP_RUNS_ON_HOST
  if (d.problem == Problem::bp3_0)
    return make_lanes_operator<Problem::bp3_0, Geometry::computed, order, float, order + 1>(
        d, basis::TensorBasis(order, order + 1));
#endif
  return nullptr;
}

}  // namespace miniapp::tensor
