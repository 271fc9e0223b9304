// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/quadrature.hpp"

namespace miniapp::basis {

/// The 1-D tables of tensor-product elements of one order, on the host: n = order + 1 Gauss-Lobatto nodes and
/// m Gauss points per direction, order + 2 unless it is said.
struct TensorBasis {
  explicit TensorBasis(int order) : TensorBasis(order, order + 2) {}
  TensorBasis(int order, int gauss_points);
  Rule nodes;               ///< GLL rule of n points: the nodes, and the quadrature of BP3.5
  Rule points;              ///< Gauss rule of m points: the quadrature of BP1.0 and BP3.0
  Matrix interpolation;     ///< I(a, i) = l_i(points[a]), m x n
  Matrix derivative;        ///< D(i, j) = l_j'(nodes[i]), n x n
  Matrix point_derivative;  ///< glD(a, b) = l_b'(points[a]) of the Lagrange basis on the points, m x m
};

}  // namespace miniapp::basis
