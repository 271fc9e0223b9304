// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/even_odd.hpp"
#include "miniapp/basis/tensor_basis.hpp"
#include "miniapp/tensor/problem.hpp"

namespace miniapp::tensor {

/// The 1-D tables of one problem and order for kernels that work on lines, split by symmetry, in plain arrays: a kernel
/// that captures them by value reads them from the constant bank of a GPU. `points`: quadrature points per direction.
template <Problem problem, int order, class Real, int points = quadrature_points(problem, order)>
struct LineTables {
  static constexpr bool collocated = is_collocated(problem);
  static constexpr int n = order + 1, m = collocated ? order + 2 : points;  ///< nodes and Gauss points per direction
  static constexpr int q = points;                                          ///< quadrature points per direction

  basis::EvenOdd<Real, m, n, basis::Parity::values> interpolation;    ///< nodes to Gauss points
  basis::EvenOdd<Real, q, q, basis::Parity::derivatives> derivative;  ///< derivatives at the quadrature points
  Real x[q], weight[q];                                               ///< the quadrature rule

  explicit LineTables(const basis::TensorBasis& b)
      : interpolation(basis::make_even_odd<Real, m, n, basis::Parity::values>(b.interpolation)),
        derivative(basis::make_even_odd<Real, q, q, basis::Parity::derivatives>(collocated ? b.derivative
                                                                                           : b.point_derivative)) {
    const basis::Rule& rule = collocated ? b.nodes : b.points;
    for (int i = 0; i < q; ++i) {
      x[i] = static_cast<Real>(rule.points[i]);
      weight[i] = static_cast<Real>(rule.weights[i]);
    }
  }
};

}  // namespace miniapp::tensor
