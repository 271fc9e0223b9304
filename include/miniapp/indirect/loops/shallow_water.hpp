// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

namespace miniapp::indirect::loops {

/// Flux of the shallow-water equations through an edge between two cells, with the edge's part of the bed slope term,
/// as in Volna's space discretisation (Dutykh, Poncet, Dias, Eur. J. Mech. B 30, 2011), with the flux computed in the
/// loop. Hydrostatic reconstruction (Audusse et al., SIAM J. Sci. Comput. 25, 2004) preserves a lake at rest:
///   z = max(z_0, z_1),   h_i* = max(0, h_i + z_i - z),   F = HLLC(h_0*, u_0; h_1*, u_1),
///   f_0 =  L (F + g/2 (h_0^2 - h_0*^2) (0, n)),   f_1 = -L (F + g/2 (h_1^2 - h_1*^2) (0, n)).
/// HLLC: HLL for depth and momentum along n; momentum across n is upwinded.
///   F = (s_1 F_0 - s_0 F_1 + s_0 s_1 (U_1 - U_0)) / (s_1 - s_0)
///   s_0 = min(0, u_i . n - c_i),  s_1 = max(0, u_i . n + c_i),  c_i = sqrt(g h_i*), doubled next to a dry cell
/// Over a flat bottom f_1 = -f_0; mass is always conserved.
/// increment(residual) sums the outflow of each cell over its edges: A dU/dt = -residual.
/// Depths stay >= 0 for dt max(-s_0, s_1) (length of the cell's edges) <= A.
///   edge (edge, 3) n from cell 0 to cell 1, of length 1, and L [m];
///   q (cell, 4) = h [m], h u, h v [m^2/s], bottom z [m]; f (cell, 3) = of h [m^3/s], of h u, h v [m^4/s^2].
/// About 90 flops, 3 of them divisions and 2 square roots. Real: float, or double.
struct ShallowWaterFlux {
  double gravity = 9.81;  ///< [m/s^2]
  double dry = 1e-6;      ///< depth up to which the velocity is zero [m]

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Real (&edge)[3], const Real (&q)[2][4], Real (&f)[2][3]) const {
    const Real nx = edge[0], ny = edge[1], length = edge[2], g = Real(gravity), half_g = Real(0.5) * g,
               shallow = Real(dry);
    const Real z = larger(q[0][3], q[1][3]);
    const Real h0 = larger(Real(0), q[0][0] + (q[0][3] - z)), h1 = larger(Real(0), q[1][0] + (q[1][3] - z));
    const Real r0 = q[0][0] > shallow ? 1 / q[0][0] : 0, r1 = q[1][0] > shallow ? 1 / q[1][0] : 0;
    const Real u0 = r0 * (q[0][1] * nx + q[0][2] * ny), u1 = r1 * (q[1][1] * nx + q[1][2] * ny);  // along n
    const Real v0 = r0 * (q[0][2] * nx - q[0][1] * ny), v1 = r1 * (q[1][2] * nx - q[1][1] * ny);  // across n
    const Real c0 = km::sqrt(g * h0), c1 = km::sqrt(g * h1);
    const Real s0 = smaller(Real(0), smaller(u0 - c0, u1 - (h0 > shallow ? c1 : 2 * c1)));
    const Real s1 = larger(Real(0), larger(u1 + c1, u0 + (h1 > shallow ? c0 : 2 * c0)));
    const Real width = s1 - s0, per_width = width > 0 ? 1 / width : 0;
    const Real m0 = h0 * u0, m1 = h1 * u1;
    const Real mass = per_width * (s1 * m0 - s0 * m1 + s0 * s1 * (h1 - h0));
    const Real along =
        per_width * (s1 * (m0 * u0 + half_g * h0 * h0) - s0 * (m1 * u1 + half_g * h1 * h1) + s0 * s1 * (m1 - m0));
    const Real across = mass * (mass > 0 ? v0 : v1);
    const Real along0 = along + half_g * (q[0][0] - h0) * (q[0][0] + h0);
    const Real along1 = along + half_g * (q[1][0] - h1) * (q[1][0] + h1);
    f[0][0] = length * mass;
    f[0][1] = length * (along0 * nx - across * ny);
    f[0][2] = length * (along0 * ny + across * nx);
    f[1][0] = -length * mass;
    f[1][1] = -length * (along1 * nx - across * ny);
    f[1][2] = -length * (along1 * ny + across * nx);
  }

 private:
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real larger(Real a, Real b) {
    return a > b ? a : b;
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real smaller(Real a, Real b) {
    return a < b ? a : b;
  }
};

}  // namespace miniapp::indirect::loops
