// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/tensor_basis.hpp"

#include "miniapp/basis/even_odd.hpp"

namespace miniapp::basis {

TensorBasis::TensorBasis(int order, int gauss_points)
    : nodes(gauss_lobatto(order + 1)),
      points(gauss(gauss_points)),
      interpolation(lagrange_values(nodes.points, points.points)),
      derivative(lagrange_derivatives(nodes.points, nodes.points)),
      point_derivative(lagrange_derivatives(points.points, points.points)) {}

template <class Real>
void detail::split_by_symmetry(const Matrix& matrix, Real* even, Real* odd) {
  const int half_rows = (matrix.rows + 1) / 2, half_columns = (matrix.columns + 1) / 2;
  for (int r = 0; r < half_rows; ++r) {
    for (int c = 0; c < half_columns; ++c) {
      const double direct = matrix(r, c), mirrored = matrix(r, matrix.columns - 1 - c);
      const bool middle = 2 * c == matrix.columns - 1;
      even[r * half_columns + c] = static_cast<Real>(middle ? direct : 0.5 * (direct + mirrored));
      odd[r * half_columns + c] = static_cast<Real>(0.5 * (direct - mirrored));
    }
  }
}
template void detail::split_by_symmetry(const Matrix&, double*, double*);
template void detail::split_by_symmetry(const Matrix&, float*, float*);

}  // namespace miniapp::basis
