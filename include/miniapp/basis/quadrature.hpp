// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace miniapp::basis {

/// A quadrature rule on [-1, 1]: sum_q weights[q] f(points[q]); points are in ascending order and exactly symmetric
/// about 0.
struct Rule {
  std::vector<double> points;
  std::vector<double> weights;
  int size() const { return static_cast<int>(points.size()); }
};

/// The point 0 with weight 1, for what is constant.
inline Rule centre() { return {{0}, {1}}; }

/// Gauss-Legendre rule of `size` >= 1 points: exact for polynomials of degree 2 size - 1.
Rule gauss(int size);

/// Gauss-Lobatto-Legendre rule of `size` >= 2 points, both ends included: exact for degree 2 size - 3.
Rule gauss_lobatto(int size);

}  // namespace miniapp::basis
