// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

namespace miniapp::indirect::loops {

/// Flux of the 2-D Euler equations through an edge, central with scalar dissipation (res_calc of the Airfoil benchmark
/// of Giles, Mudalige and Reguly, OP2, 2012), integrated over the edge:
///   f = (F(q_0) + F(q_1)) . n / 2 + mu (q_0 - q_1),   F . n = (rho v, rho u v + p n, (rho E + p) v),   v = u . n,
///   mu = eps (a_0 + a_1) / 2,   n = (d_y, -d_x),   d = x_0 - x_1
/// leaves cell 0 and enters cell 1, so that exchange(residual) sums the outflow of each cell: A dq/dt = -residual.
/// Going around cell 0 counter-clockwise, node 1 comes before node 0; n then points from cell 0 to cell 1 and has the
/// length of the edge. (With the opposite order only the central part would change its sign.)
///   x (node, 2) coordinates [m]; q (cell, 4) = rho [kg/m^3], rho u, rho v [kg/(m^2 s)], rho E [J/m^3];
///   a (cell) |u . n| + c |n| summed over the cell's edges [m^2/s], c the speed of sound; f (4) in q's units m^2/s.
/// Computed as f = (v_0 / 2 + mu) q_0 + (v_1 / 2 - mu) q_1 + what p adds: 53 flops, 2 of them divisions. Real: double
/// or float.
struct AirfoilFlux {
  static constexpr int registers = 48;  ///< per thread on a GPU: five teams of 256 per multiprocessor
  double gamma_minus_1 = 0.4;
  double epsilon = 0.05;  ///< coefficient of the dissipation

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Real (&x)[2][2], const Real (&q)[2][4], const Real (&a)[2][1],
                                              Real (&f)[4]) const {
    const Real half = Real(0.5), half_g = Real(0.5 * gamma_minus_1), quarter_g = Real(0.25 * gamma_minus_1);
    const Real dx = x[0][0] - x[1][0], dy = x[0][1] - x[1][1];
    const Real r0 = 1 / q[0][0], r1 = 1 / q[1][0];
    const Real p0 = half_g * q[0][3] - r0 * (quarter_g * (q[0][1] * q[0][1] + q[0][2] * q[0][2]));  // halves of p
    const Real p1 = half_g * q[1][3] - r1 * (quarter_g * (q[1][1] * q[1][1] + q[1][2] * q[1][2]));
    const Real v0 = r0 * (q[0][1] * dy - q[0][2] * dx), v1 = r1 * (q[1][1] * dy - q[1][2] * dx);
    const Real mu = half * Real(epsilon) * (a[0][0] + a[1][0]);
    const Real w0 = half * v0 + mu, w1 = half * v1 - mu, p = p0 + p1;
    f[0] = w0 * q[0][0] + w1 * q[1][0];
    f[1] = w0 * q[0][1] + w1 * q[1][1] + p * dy;
    f[2] = w0 * q[0][2] + w1 * q[1][2] - p * dx;
    f[3] = w0 * q[0][3] + w1 * q[1][3] + (v0 * p0 + v1 * p1);
  }
};

}  // namespace miniapp::indirect::loops
