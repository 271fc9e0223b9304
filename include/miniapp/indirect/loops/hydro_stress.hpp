// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

namespace miniapp::indirect::loops {

/// Nodal forces from the stress of a hexahedron (IntegrateStressForElems of LULESH, LLNL-TR-490254): every face gives a
/// quarter of its outward area vector A, half the cross product of its diagonals, to each of its four vertices,
///   f_v = -sigma B_v,   B_v = sum of A / 4 over the three faces at v,
/// with diagonal stress; LULESH has sigma = -(p + q) I. The forces of an element sum to zero. B_v equals the
/// integral of grad N_v of the trilinear element where faces are parallelograms; B . x = 3 volumes and B . v = d volume
/// / dt for v = x hold for any hexahedron. 147 flops.
///   sigma (element, 3) xx, yy, zz [Pa]; x (node, 3) coordinates [m]; f (node, 3) [N]. Vertices: mesh/mesh.hpp.
/// Real: double or float.
struct HydroStress {
  /// Hexahedra along a line share the face at the end of one and the beginning of the next.
  static constexpr KOKKOS_FUNCTION int next_slot(int slot) { return slot % 2 ? slot - 1 : -1; }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Real (&sigma)[3], const Real (&x)[8][3], Real (&f)[8][3]) const {
    Real share[3][2][3];  // share of each vertex of the low or high face normal to direction a
    MINIAPP_UNROLL
    for (int a = 0; a < 3; ++a) {
      MINIAPP_UNROLL
      for (int high = 0; high < 2; ++high) {
        const int corner = high << a, u = 1 << (a + 1) % 3, v = 1 << (a + 2) % 3;
        Real p[3], q[3];
        MINIAPP_UNROLL
        for (int d = 0; d < 3; ++d) {
          p[d] = x[corner + u + v][d] - x[corner][d];
          q[d] = x[corner + v][d] - x[corner + u][d];
        }
        MINIAPP_UNROLL
        for (int d = 0; d < 3; ++d) {
          const int d1 = (d + 1) % 3, d2 = (d + 2) % 3;
          share[a][high][d] = Real(high ? -0.125 : 0.125) * sigma[d] * (p[d1] * q[d2] - p[d2] * q[d1]);
        }
      }
    }
    MINIAPP_UNROLL
    for (int v = 0; v < 8; ++v) {
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) f[v][d] = share[0][v & 1][d] + share[1][v >> 1 & 1][d] + share[2][v >> 2][d];
    }
  }
};

}  // namespace miniapp::indirect::loops
