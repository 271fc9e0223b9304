// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/arithmetic.hpp"

namespace miniapp::indirect::loops {

/// Flux of the 3-D Euler equations through a face by Roe's scheme, first order, integrated over the face: the inviscid
/// compute_face_flux of Mantevo's miniAero (Roe, J. Comput. Phys. 43, 1981; entropy fix of Harten, ibid. 49, 1983):
///   f = A/2 (F(q_0) + F(q_1) - sum_k |lambda_k| alpha_k r_k)
///   F = (rho v, rho u v + p n, (rho E + p) v), u the velocity vector, v = u . n
/// u and H in the waves are the means of the two cells weighted by sqrt(rho), rho = sqrt(rho_0 rho_1), c^2 = (gamma -
/// 1) (H - |u|^2 / 2); D is a difference, cell 1 minus cell 0:
///   lambda = v -+ c   alpha = (Dp -+ rho c Dv) / (2 c^2)   r = (1, u -+ c n, H -+ c v)    sound
///   lambda = v        alpha = Drho - Dp / c^2              r = (1, u, |u|^2 / 2)          entropy
///   lambda = v        alpha r = rho (0, Du - Dv n, u . Du - v Dv)                         shear
/// In the sound waves, |lambda| < d is replaced by (lambda^2 + d^2) / (2 d), d = c / 10, which prevents expansion
/// shocks. f leaves cell 0 and enters cell 1: exchange(residual) sums the outflow of each cell, V dq/dt = -residual.
///   normal (face, 3) from cell 0 to cell 1, with the area of the face as its length [m^2];
///   q (cell, 5) = rho [kg/m^3], rho u, rho v, rho w [kg/(m^2 s)], rho E [J/m^3]; f (5) in q's units m^3/s.
/// About 175 flops, 5 of them divisions and 4 square roots. Real: double or float.
struct EulerFlux {
  static constexpr double gamma_minus_1 = 0.4, entropy_fix = 0.1;  ///< d / c

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Real (&normal)[3], const Real (&q)[2][5], Real (&f)[5]) const {
    const Real half = Real(0.5), g = Real(gamma_minus_1);
    const Real area = km::sqrt(dot(normal, normal)), per_area = reciprocal(area);
    const Real n[3] = {per_area * normal[0], per_area * normal[1], per_area * normal[2]};
    Real u[2][3], v[2], p[2], H[2];
    MINIAPP_UNROLL
    for (int s = 0; s < 2; ++s) {
      const Real per_rho = reciprocal(q[s][0]);
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) u[s][d] = per_rho * q[s][d + 1];
      v[s] = dot(u[s], n);
      p[s] = g * (q[s][4] - half * q[s][0] * dot(u[s], u[s]));
      H[s] = per_rho * (q[s][4] + p[s]);
    }
    const Real root0 = km::sqrt(q[0][0]), root1 = km::sqrt(q[1][0]), rho = root0 * root1;
    const Real weight = root1 * reciprocal(root0 + root1);
    const Real Du[3] = {u[1][0] - u[0][0], u[1][1] - u[0][1], u[1][2] - u[0][2]};
    const Real mean[3] = {u[0][0] + weight * Du[0], u[0][1] + weight * Du[1], u[0][2] + weight * Du[2]};
    const Real Dv = v[1] - v[0], Dp = p[1] - p[0], vm = v[0] + weight * Dv, Hm = H[0] + weight * (H[1] - H[0]);
    const Real kinetic = half * dot(mean, mean), c2 = g * (Hm - kinetic);
    const Real per_c2 = reciprocal(c2), c = km::sqrt(c2);

    const Real back = fixed(vm - c, c, c * per_c2) * half * per_c2 * (Dp - rho * c * Dv);
    const Real ahead = fixed(vm + c, c, c * per_c2) * half * per_c2 * (Dp + rho * c * Dv);
    const Real entropy = km::fabs(vm) * (q[1][0] - q[0][0] - per_c2 * Dp), shear = km::fabs(vm) * rho;
    const Real sum = back + entropy + ahead, sound = c * (ahead - back) - shear * Dv;
    const Real m0 = q[0][0] * v[0], m1 = q[1][0] * v[1], half_area = half * area;
    f[0] = half_area * (m0 + m1 - sum);
    MINIAPP_UNROLL
    for (int d = 0; d < 3; ++d)
      f[d + 1] =
          half_area * (m0 * u[0][d] + m1 * u[1][d] + (p[0] + p[1] - sound) * n[d] - sum * mean[d] - shear * Du[d]);
    f[4] = half_area *
           (m0 * H[0] + m1 * H[1] - (back + ahead) * Hm - entropy * kinetic - sound * vm - shear * dot(mean, Du));
  }

 private:
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real dot(const Real (&a)[3], const Real (&b)[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  /// |lambda| with the entropy fix.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real fixed(Real lambda, Real c, Real per_c) {
    const Real size = km::fabs(lambda), d = Real(entropy_fix) * c;
    return size < d ? Real(0.5 / entropy_fix) * per_c * lambda * lambda + Real(0.5) * d : size;
  }
};

}  // namespace miniapp::indirect::loops
