// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/even_odd.hpp"
#include "miniapp/basis/quadrature.hpp"

namespace miniapp::basis {

/// The 1-D tables of tensor-product elements of one order, on the host: n = order + 1 Gauss-Lobatto nodes and
/// m = order + 2 Gauss points a direction.
struct TensorBasis {
  explicit TensorBasis(int order);
  Rule nodes;               ///< GLL rule of n points: the nodes, and the quadrature of BP3.5
  Rule points;              ///< Gauss rule of m points: the quadrature of BP1.0 and BP3.0
  Matrix interpolation;     ///< I(a, i) = l_i(points[a]), m x n
  Matrix derivative;        ///< D(i, j) = l_j'(nodes[i]), n x n
  Matrix point_derivative;  ///< glD(a, b) = l_b'(points[a]) of the Lagrange basis on the points, m x m
};

/// The same tables for kernels of a fixed order: split by symmetry, in plain arrays.
template <int order, class Real>
struct LineTables {
  static constexpr int n = order + 1, m = order + 2;
  EvenOdd<Real, m, n, Parity::values> interpolation;
  EvenOdd<Real, n, n, Parity::derivatives> derivative;
  EvenOdd<Real, m, m, Parity::derivatives> point_derivative;
  Real node[n], node_weight[n], point[m], point_weight[m];

  explicit LineTables(const TensorBasis& basis)
      : interpolation(make_even_odd<Real, m, n, Parity::values>(basis.interpolation)),
        derivative(make_even_odd<Real, n, n, Parity::derivatives>(basis.derivative)),
        point_derivative(make_even_odd<Real, m, m, Parity::derivatives>(basis.point_derivative)) {
    for (int i = 0; i < n; ++i) {
      node[i] = static_cast<Real>(basis.nodes.points[i]);
      node_weight[i] = static_cast<Real>(basis.nodes.weights[i]);
    }
    for (int a = 0; a < m; ++a) {
      point[a] = static_cast<Real>(basis.points.points[a]);
      point_weight[a] = static_cast<Real>(basis.points.weights[a]);
    }
  }
};

}  // namespace miniapp::basis
