// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/even_odd.hpp"
#include "miniapp/basis/tensor_basis.hpp"
#include "miniapp/tensor/problem.hpp"

namespace miniapp::tensor {

/// M and K of BoxTables, whole.
struct BoxMatrices {
  basis::Matrix mass, stiffness;
};
BoxMatrices make_box_matrices(Problem problem, const basis::TensorBasis& basis);

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

  explicit BoxTables(const basis::TensorBasis& b) : BoxTables(make_box_matrices(problem, b), b.nodes) {}

 private:
  BoxTables(const BoxMatrices& matrices, const basis::Rule& nodes)
      : mass(basis::make_even_odd<Real, n, n, basis::Parity::values>(matrices.mass)),
        stiffness(basis::make_even_odd<Real, n, n, basis::Parity::values>(matrices.stiffness)) {
    for (int i = 0; i < n; ++i) weight[i] = static_cast<Real>(nodes.weights[i]);
  }
};

}  // namespace miniapp::tensor
