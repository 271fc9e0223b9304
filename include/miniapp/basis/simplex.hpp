// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "miniapp/core/kokkos.hpp"

namespace miniapp::basis {

/// A point (x, y) of the reference triangle {x, y >= 0, x + y <= 1}, whose area is 1/2.
using TrianglePoint = std::array<double, 2>;

/// A quadrature rule on the reference triangle: sum_q weights[q] f(points[q]). Weights are positive and sum to 1/2,
/// points lie inside, and permuting the barycentric coordinates permutes the points.
struct TriangleRule {
  std::vector<TrianglePoint> points;
  std::vector<double> weights;
  int size() const { return static_cast<int>(points.size()); }
};

/// Dunavant's symmetric rules of degree 2, 4, 6, 8, 10, 12, 14 with 3, 6, 12, 16, 25, 33, 42 points: exact for every
/// polynomial of total degree `degree`. Errors: any other degree (InputError).
/// Source: D. A. Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle, Int. J. Numer.
/// Methods Eng. 21 (1985) 1129-1148. Its 15 digits were refined to 18 by Newton's method on the moment equations.
TriangleRule triangle_rule(int degree);

/// A point (x, y, z) of the reference tetrahedron {x, y, z >= 0, x + y + z <= 1}, whose volume is 1/6.
using TetrahedronPoint = std::array<double, 3>;

/// A quadrature rule on the reference tetrahedron: sum_q weights[q] f(points[q]). Weights are positive and sum to 1/6,
/// points lie inside, and permuting the barycentric coordinates permutes the points.
struct TetrahedronRule {
  std::vector<TetrahedronPoint> points;
  std::vector<double> weights;
  int size() const { return static_cast<int>(points.size()); }
};

/// Symmetric rules of degree 1, 2, 5 with 1, 4, 14 points: exact for every polynomial of total degree `degree`. Errors:
/// any other degree (InputError). Source of the last: N. J. Walkington, Quadrature on simplices of arbitrary dimension,
/// Carnegie Mellon University, 2000. Its digits were refined by Newton's method on the moment equations.
TetrahedronRule tetrahedron_rule(int degree);

/// Barycentric coordinate v of point q, (q, v), of the symmetric rules that kernels on simplices use: 1 point is the
/// centroid, exact for degree 1; dim + 1 points, of which point q is nearest vertex q, are exact for degree 2. All
/// weights are the volume / points. The values of the linear basis functions at the points are these coordinates.
template <int dim, int points>
KOKKOS_FORCEINLINE_FUNCTION constexpr double simplex_point(int q, int v) {
  static_assert(dim == 2 || dim == 3, "simplices of 2 and 3 dimensions");
  static_assert(points == 1 || points == dim + 1, "rules of 1 and dim + 1 points");
  if (points == 1) return 1.0 / (dim + 1);
  constexpr double far = dim == 2 ? 1 / 6.0 : 0.138196601125010515;  // (1 - (dim + 2)^(-1/2)) / (dim + 1)
  return q == v ? 1 - dim * far : far;
}

}  // namespace miniapp::basis
