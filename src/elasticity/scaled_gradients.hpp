// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/device_tables.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/teams.hpp"

namespace miniapp::elasticity {

/// F of a slice of elements for TileProducts, at eight points of an element per team:
///   F_d(q, r) = sqrt(w det J) d phi_r / d x_d = sum_a factors(a, d) d phi_r / d xi_a
///   derivatives (point, a, r), points (point; x, y, z, w), vertices (element, vertex, d)
///   F (element, point, d, r): points and functions padded by zeros, overwritten
/// First one thread per point makes its factors, then 256 threads go through places (point k of eight, function r):
///             r = 0      1          2    ..   pitch - 1
///   k = 0     thread 0   1          2    ..   pitch - 1
///   k = 1     pitch      pitch + 1  ..
///   ..                                    place x is thread x % 256
///   k = 7     ..
/// A thread writes all three d of its place: neighbours in r are neighbours in memory.
/// Barrier: after the factors. Scratch: factors (k; a, d) in rows of 10. Writes 24 Nsh NQ bytes per element.
template <int order, class Real>
struct ScaledGradients {
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr int pitch = round_up(n, 32 / sizeof(Real)), padded_points = round_up(num_points, 8);
  static constexpr int groups = padded_points / 8, numbers = padded_points * 3 * pitch;  ///< per element
  static constexpr int threads = 256, teams_at_once = 4;
  static constexpr std::size_t scratch_bytes = 8 * 10 * sizeof(Real);

  const Real *derivatives, *points, *vertices;
  Real* F;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Real* const factors = static_cast<Real*>(team.scratch());
    const std::int64_t e = team.league_rank() / groups;
    const int first = team.league_rank() % groups * 8, thread = team.team_rank();
    if (thread < 8 && first + thread < num_points)
      scaled_inverse(vertices + 18 * e, points + 4 * (first + thread), factors + 10 * thread);
    team.team_barrier();
    for (int x = thread; x < 8 * pitch; x += threads) {
      const int k = x / pitch, r = x % pitch, q = first + k;
      Real* const f = F + e * numbers + q * (3 * pitch) + r;
      Real g[3] = {0, 0, 0};
      if (q < num_points && r < n) {
        const Real *const phi = derivatives + 3 * n * q + r, *const J = factors + 10 * k;
        for (int d = 0; d < 3; ++d) g[d] = physical_derivative<n>(J, phi, d);
      }
      for (int d = 0; d < 3; ++d) f[d * pitch] = g[d];
    }
  }
};

}  // namespace miniapp::elasticity
