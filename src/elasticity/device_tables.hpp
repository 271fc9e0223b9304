// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/warp.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/kokkos.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {

constexpr int round_up(int number, int multiple) { return (number + multiple - 1) / multiple * multiple; }

/// factors (a, d) = sqrt(w det J) d xi_a / d x_d of a prism at a point (x, y, z, w): gradients scaled by them make
/// matrices of a point that are products of two equal factors. Needs w det J > 0.
template <class Real>
KOKKOS_INLINE_FUNCTION void scaled_inverse(const Real* vertices, const Real* point, Real* factors) {
  Real J[3][3], inverse[3][3];
  geometry::prism_jacobian(vertices, point[0], point[1], point[2], J);
  const Real root = km::sqrt(invert(J, inverse) * point[3]);
  for (int a = 0; a < 3; ++a)
    for (int d = 0; d < 3; ++d) factors[3 * a + d] = root * inverse[a][d];
}

/// d / d x_d of a function at a point, scaled as its factors (a, d) are; its derivatives d / d xi_a lie n apart.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real physical_derivative(const Real* factors, const Real* phi, int d) {
  return factors[d] * phi[0] + factors[3 + d] * phi[n] + factors[6 + d] * phi[2 * n];
}

}  // namespace miniapp::elasticity
