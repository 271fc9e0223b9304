// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/execution.hpp"

/// Prisms given by six arbitrary vertices: x(xi) = sum_v N_v(xi) X_v on the reference prism of basis/prism.hpp, N_v a
/// barycentric coordinate of the triangle times (1 - z) / 2 for v = 0, 1, 2 and (1 + z) / 2 for v = 3, 4, 5.
/// Vertices are a pointer to 18 numbers, (vertex, d) [m]. det J is linear in (x, y) and quadratic in z [m^3].
namespace miniapp::geometry {

inline constexpr int prism_numbers = 18;

/// The point x [m] of the reference point (r, s, t).
template <class Real>
KOKKOS_INLINE_FUNCTION void prism_point(const Real* vertices, Real r, Real s, Real t, Real (&x)[3]) {
  const Real low = Real(0.5) * (1 - t), high = Real(0.5) * (1 + t), q = 1 - r - s;
  for (int d = 0; d < 3; ++d) {
    const Real* v = vertices + d;
    x[d] = low * (q * v[0] + r * v[3] + s * v[6]) + high * (q * v[9] + r * v[12] + s * v[15]);
  }
}

/// J[d][a] = d x_d / d xi_a at (r, s, t) [m].
template <class Real>
KOKKOS_INLINE_FUNCTION void prism_jacobian(const Real* vertices, Real r, Real s, Real t, Real (&J)[3][3]) {
  const Real low = Real(0.5) * (1 - t), high = Real(0.5) * (1 + t), q = 1 - r - s;
  for (int d = 0; d < 3; ++d) {
    const Real* v = vertices + d;
    J[d][0] = low * (v[3] - v[0]) + high * (v[12] - v[9]);
    J[d][1] = low * (v[6] - v[0]) + high * (v[15] - v[9]);
    J[d][2] = Real(0.5) * (q * (v[9] - v[0]) + r * (v[12] - v[3]) + s * (v[15] - v[6]));
  }
}

/// The least det J on the whole prism [m^3], which is attained on one of the three lines along z; NaN if a vertex is
/// NaN.
double least_determinant(const double* vertices);

/// Checks that det J > 0 everywhere in each of the prisms (prism, vertex, d) [m]. Errors: a prism where it is not, with
/// its number (InputError).
void require_positive(const std::vector<double>& prisms);

}  // namespace miniapp::geometry
