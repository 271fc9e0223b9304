// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/box_tables.hpp"

namespace miniapp::tensor {
namespace {

/// left^T W right for matrices (point, column), W diagonal.
basis::Matrix weighted_product(const basis::Matrix& left, const std::vector<double>& weights,
                               const basis::Matrix& right) {
  basis::Matrix product(left.columns, right.columns);
  for (int i = 0; i < left.columns; ++i)
    for (int j = 0; j < right.columns; ++j)
      for (int a = 0; a < left.rows; ++a) product(i, j) += weights[a] * left(a, i) * right(a, j);
  return product;
}

basis::Matrix make_stiffness(Problem problem, const basis::TensorBasis& b) {
  if (is_collocated(problem)) {
    basis::Matrix K = weighted_product(b.derivative, b.nodes.weights, b.derivative);
    for (int i = 0; i < K.rows; ++i)
      for (int j = 0; j < K.columns; ++j) K(i, j) /= b.nodes.weights[i];
    return K;
  }
  const basis::Matrix &I = b.interpolation, &D = b.point_derivative;
  basis::Matrix slopes(I.rows, I.columns);
  for (int a = 0; a < I.rows; ++a)
    for (int i = 0; i < I.columns; ++i)
      for (int c = 0; c < I.rows; ++c) slopes(a, i) += D(a, c) * I(c, i);
  return weighted_product(slopes, b.points.weights, slopes);
}

}  // namespace

BoxMatrices make_box_matrices(Problem problem, const basis::TensorBasis& b) {
  return {weighted_product(b.interpolation, b.points.weights, b.interpolation), make_stiffness(problem, b)};
}

}  // namespace miniapp::tensor
