// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/tensor_basis.hpp"

namespace miniapp::basis {

TensorBasis::TensorBasis(int order, int gauss_points)
    : nodes(gauss_lobatto(order + 1)),
      points(gauss(gauss_points)),
      interpolation(lagrange_values(nodes.points, points.points)),
      derivative(lagrange_derivatives(nodes.points, nodes.points)),
      point_derivative(lagrange_derivatives(points.points, points.points)) {}

}  // namespace miniapp::basis
