// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/even_odd.hpp"
#include "miniapp/basis/tensor_basis.hpp"
#include "miniapp/tensor/problem.hpp"

namespace miniapp::tensor {

/// left^T W right for matrices (point, column), W diagonal.
inline basis::Matrix weighted_product(const basis::Matrix& left, const std::vector<double>& weights,
                                      const basis::Matrix& right) {
  basis::Matrix product(left.columns, right.columns);
  for (int i = 0; i < left.columns; ++i)
    for (int j = 0; j < right.columns; ++j)
      for (int a = 0; a < left.rows; ++a) product(i, j) += weights[a] * left(a, i) * right(a, j);
  return product;
}

/// The matrices of one direction of which the operators on boxes are made, by the rule of their integrals, split by
/// symmetry:
///   BP1.0   M = I^T W I
///   BP3.0   M, and K = (glD I)^T W glD I
///   BP3.5   M = W, and W^-1 K, K = D^T W D
template <Problem problem, int order, class Real>
struct BoxTables {
  static constexpr int n = order + 1;

  basis::EvenOdd<Real, n, n, basis::Parity::values> mass;       ///< M
  basis::EvenOdd<Real, n, n, basis::Parity::values> stiffness;  ///< K; of BP3.5 W^-1 K
  Real weight[n];                                               ///< the diagonal of W at the nodes

  explicit BoxTables(const basis::TensorBasis& b)
      : mass(split(weighted_product(b.interpolation, b.points.weights, b.interpolation))),
        stiffness(split(make_stiffness(b))) {
    for (int i = 0; i < n; ++i) weight[i] = static_cast<Real>(b.nodes.weights[i]);
  }

 private:
  static auto split(const basis::Matrix& matrix) {
    return basis::make_even_odd<Real, n, n, basis::Parity::values>(matrix);
  }
  static basis::Matrix make_stiffness(const basis::TensorBasis& b) {
    if constexpr (is_collocated(problem)) {
      basis::Matrix K = weighted_product(b.derivative, b.nodes.weights, b.derivative);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) K(i, j) /= b.nodes.weights[i];
      return K;
    }
    const basis::Matrix &I = b.interpolation, &D = b.point_derivative;
    basis::Matrix slopes(I.rows, I.columns);
    for (int a = 0; a < I.rows; ++a)
      for (int i = 0; i < I.columns; ++i)
        for (int c = 0; c < I.rows; ++c) slopes(a, i) += D(a, c) * I(c, i);
    return weighted_product(slopes, b.points.weights, slopes);
  }
};

}  // namespace miniapp::tensor
