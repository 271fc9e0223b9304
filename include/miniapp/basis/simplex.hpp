// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

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

}  // namespace miniapp::basis
