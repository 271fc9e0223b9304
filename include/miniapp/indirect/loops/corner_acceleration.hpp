// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

namespace miniapp::indirect::loops {

/// Corner masses and corner forces of quadrilaterals, summed at their nodes (getacc_scatter of BookLeaf, the 2-D
/// Lagrangian hydrodynamics of the UK Mini-App Consortium):
///   M_v = sum of m_ev,   F_v = sum of f_ev   over the elements e at node v;
/// a separate loop over the nodes computes the acceleration F / M. The only arithmetic is the sums: 12 additions.
///   mass (element, 4) [kg/m]; force_x, force_y (element, 4) [N/m], corners in the order of the vertices;
///   node_mass (node, 1); node_force (node, 2) x, y. Real: double or float.
struct CornerAcceleration {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Real (&mass)[4], const Real (&force_x)[4], const Real (&force_y)[4],
                                              Real (&node_mass)[4][1], Real (&node_force)[4][2]) const {
    MINIAPP_UNROLL
    for (int v = 0; v < 4; ++v) {
      node_mass[v][0] = mass[v];
      node_force[v][0] = force_x[v];
      node_force[v][1] = force_y[v];
    }
  }
};

}  // namespace miniapp::indirect::loops
