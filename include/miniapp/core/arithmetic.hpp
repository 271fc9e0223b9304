// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

#include "miniapp/core/kokkos.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#endif

/// Arithmetic for geometry, on scalars or, on hosts, on vector registers (Lanes).
namespace miniapp {

KOKKOS_FORCEINLINE_FUNCTION double square_root(double x) { return km::sqrt(x); }
KOKKOS_FORCEINLINE_FUNCTION float square_root(float x) { return km::sqrt(x); }
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real sign(Real x) {
  return x < 0 ? Real(-1) : Real(1);
}
/// sin(pi x), cos(pi x).
KOKKOS_FORCEINLINE_FUNCTION double sine_of_pi(double x) { return km::sin(std::numbers::pi * x); }
KOKKOS_FORCEINLINE_FUNCTION double cosine_of_pi(double x) { return km::cos(std::numbers::pi * x); }
KOKKOS_FORCEINLINE_FUNCTION float reciprocal(float x) {
#if defined(__CUDA_ARCH__)  // one unit in the last place
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return 1 / x;
#endif
}
KOKKOS_FORCEINLINE_FUNCTION double reciprocal(double x) {
#if defined(__CUDA_ARCH__)  // approximate reciprocal (20 bits) and one cubic Newton step: a fifth of the cost of a
                            // division
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double error = fma(-x, y, 1.0);
  return fma(fma(error, error, error), y, y);
#else
  return 1 / x;
#endif
}

/// The inverse of a 3 x 3 matrix, and its determinant; the inverse is undefined where the determinant is zero. For a
/// Jacobian J[d][a] = d x_d / d xi_a [m] the result is inverse[a][d] = d xi_a / d x_d [1/m].
template <class Real>
KOKKOS_INLINE_FUNCTION Real invert(const Real (&J)[3][3], Real (&inverse)[3][3]) {
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      inverse[a][d] = J[e][b] * J[f][c] - J[e][c] * J[f][b];
    }
  }
  const Real det = J[0][0] * inverse[0][0] + J[1][0] * inverse[0][1] + J[2][0] * inverse[0][2];
  const Real scale = 1 / det;
  for (int a = 0; a < 3; ++a)
    for (int d = 0; d < 3; ++d) inverse[a][d] *= scale;
  return det;
}

}  // namespace miniapp
