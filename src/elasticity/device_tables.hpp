// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/core/kokkos.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {

/// Whether the device has a copy engine for stores from scratch (NVIDIA's of sm_90 and newer), and FP64 tensor cores
/// with instructions for tiles of 16 x 8 (the same), which kernels in double precision use.
#if defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)
inline constexpr bool has_copy_engine = true;
#else
inline constexpr bool has_copy_engine = false;
#endif
#ifdef MINIAPP_NO_TENSOR_CORES
inline constexpr bool has_double_cores = false;
#else
inline constexpr bool has_double_cores = has_copy_engine;
#endif

constexpr int round_up(int number, int multiple) { return (number + multiple - 1) / multiple * multiple; }

/// Two neighbours in memory.
template <class Real>
struct alignas(2 * sizeof(Real)) Pair {
  Real values[2];
};
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pair<Real> load_pair(const Real* from) {
  return *reinterpret_cast<const Pair<Real>*>(from);
}

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

/// A_ik from the nine P_ab at (a, b): lambda P_ik + mu P_ki + delta_ik mu (P_00 + P_11 + P_22), in place.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void combine(Real lambda, Real mu, Real (&P)[9]) {
  const Real trace = mu * (P[0] + P[4] + P[8]), both = lambda + mu;
  for (int i = 0; i < 3; ++i) P[4 * i] = both * P[4 * i] + trace;
  const auto mix = [&](Real& a, Real& b) {
    const Real old = a;
    a = lambda * a + mu * b;
    b = lambda * b + mu * old;
  };
  mix(P[1], P[3]);
  mix(P[2], P[6]);
  mix(P[5], P[7]);
}

/// D = A B + D of 16 x 8, 16 x 8 and 8 x 8 numbers by a warp. Lane 4 g + t holds A(g, t), A(g + 8, t), A(g, t + 4),
/// A(g + 8, t + 4), B(t, g), B(t + 4, g) and D(g, 2 t), D(g, 2 t + 1), D(g + 8, 2 t), D(g + 8, 2 t + 1).
KOKKOS_FORCEINLINE_FUNCTION void multiply_on_cores([[maybe_unused]] double& d0, [[maybe_unused]] double& d1,
                                                   [[maybe_unused]] double& d2, [[maybe_unused]] double& d3,
                                                   [[maybe_unused]] const double (&a)[4],
                                                   [[maybe_unused]] const double (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+d"(d0), "+d"(d1), "+d"(d2), "+d"(d3)
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#endif
}

}  // namespace miniapp::elasticity
