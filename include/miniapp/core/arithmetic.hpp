// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#endif

/// Functions that geometry needs, of a number or, on hosts, of lanes of numbers.
namespace miniapp {

KOKKOS_FORCEINLINE_FUNCTION double square_root(double x) { return km::sqrt(x); }
KOKKOS_FORCEINLINE_FUNCTION float square_root(float x) { return km::sqrt(x); }
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real sign(Real x) {
  return x < 0 ? Real(-1) : Real(1);
}
KOKKOS_FORCEINLINE_FUNCTION float reciprocal(float x) { return 1 / x; }
KOKKOS_FORCEINLINE_FUNCTION double reciprocal(double x) {
#if defined(__CUDA_ARCH__)  // approximate reciprocal (20 bits) and one cubic Newton step: a fifth of a division
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double error = fma(-x, y, 1.0);
  return fma(fma(error, error, error), y, y);
#else
  return 1 / x;
#endif
}

}  // namespace miniapp
