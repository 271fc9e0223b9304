// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/device_tables.hpp"
#include "elasticity/elastic.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/teams.hpp"

namespace miniapp::elasticity {

/// One team per element, for orders up to 3: computes the symmetric product of F, (points) x (3 functions), with itself
/// in scratch, then all entries of A in memory order.
///   vertices (element, vertex, d), materials (element, 2), matrices (element, i, k, r, s): overwritten
/// With tensor cores a warp computes tiles of 16 x 8, without them a thread computes a block of 6 x 6, on and above the
/// diagonal. Tiles (row strip, tile column) of P for 48 columns; those marked are computed, numbered strip by strip:
///   columns   0  8 16 24 32 40
///   rows  0   0  1  2  3  4  5
///   rows 16         6  7  8  9
///   rows 32              10 11
/// Lanes of a tile: multiply_on_cores().
/// Barriers: after vertices, factors and F, before P overwrites F, before P is read.
/// Scratch: F and factors, later the part of P on and above the diagonal, in strips of 16 rows. Flops: 9 Nsh (Nsh +
/// 1/3) NQ.
template <int order, class Real, bool cores>
struct WholeProducts {
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr int columns = 3 * n, padded_points = round_up(num_points, 8);
  static constexpr int strips = round_up(columns, 16) / 16, tile_columns = round_up(columns, 8) / 8;
  static constexpr int blocks = columns / 6, used_blocks = blocks * (blocks + 1) / 2;
  static constexpr int warps = !cores ? round_up(used_blocks, 32) / 32 : order == 1 ? 2 : order == 2 ? 4 : 16;
  static constexpr int threads = 32 * warps, teams_at_once = order == 1 ? 12 : order == 2 ? 6 : 2;
  static constexpr int stride =
      round_up(16 * strips - 4, 16) + 4;              ///< numbers of a point in F: rows t, t + 1, .. 4 apart
  static constexpr int width = 8 * tile_columns + 1;  ///< columns of the first strip of P
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int strip_begin(int strip) {
    return 16 * strip * (width - 8 * (strip - 1));
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int strip_pitch(int strip) { return width - 16 * strip; }
  static constexpr int gradient_numbers = padded_points * stride + 9 * num_points + 18;
  static constexpr int product_numbers = strip_begin(strips);
  static constexpr std::size_t scratch_bytes =
      sizeof(Real) * (gradient_numbers > product_numbers ? gradient_numbers : product_numbers);

  const Real *derivatives, *points, *vertices, *materials;
  Real* matrices;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Real* const scratch = static_cast<Real*>(team.scratch());
    const std::int64_t e = team.league_rank();
    const int thread = team.team_rank();
    find_gradients(team, scratch, e, thread);
    if constexpr (cores)
      multiply_tiles(team, scratch, thread);
    else
      multiply_blocks(team, scratch, thread);
    team.team_barrier();
    write(scratch, e, thread);
  }

  KOKKOS_FORCEINLINE_FUNCTION void find_gradients(const Team& team, Real* F, std::int64_t e, int thread) const {
    Real *const factors = F + padded_points * stride, *const corners = factors + 9 * num_points;
    if (thread < 18) corners[thread] = vertices[18 * e + thread];
    team.team_barrier();
    for (int q = thread; q < num_points; q += threads) scaled_inverse(corners, points + 4 * q, factors + 9 * q);
    team.team_barrier();
    for (int x = thread; x < padded_points * n; x += threads) {
      const int q = x / n, r = x % n;
      Real* const f = F + q * stride + r;
      Real g[3] = {0, 0, 0};
      if (q < num_points) {
        const Real *const phi = derivatives + 3 * n * q + r, *const J = factors + 9 * q;
        for (int d = 0; d < 3; ++d) g[d] = physical_derivative<n>(J, phi, d);
      }
      for (int d = 0; d < 3; ++d) f[d * n] = g[d];
      if (r < stride - columns) f[columns] = 0;
    }
    team.team_barrier();
  }

  /// First row and column of tile `number` on and above the diagonal, strip by strip; beyond the last tile, a column
  /// outside the matrix.
  KOKKOS_FORCEINLINE_FUNCTION static void find_tile(int number, int& row, int& column) {
    int strip = 0;
    while (strip < strips - 1 && number >= tile_columns - 2 * strip) number -= tile_columns - 2 * strip++;
    row = 16 * strip;
    column = 8 * (2 * strip + number);
  }

  KOKKOS_FORCEINLINE_FUNCTION void multiply_tiles(const Team& team, Real* scratch, int thread) const {
    constexpr int tiles = strips * tile_columns - strips * (strips - 1), own = (tiles + warps - 1) / warps;
    const int warp = thread / 32, g = thread % 32 / 4, t = thread % 4;
    Real P[own][4] = {};
    int row[own], column[own];
    MINIAPP_UNROLL
    for (int i = 0; i < own; ++i) find_tile(warp * own + i, row[i], column[i]);
    for (int q = 0; q < padded_points; q += 8) {
      const Real *const low = scratch + (q + t) * stride + g, *const high = low + 4 * stride;
      MINIAPP_UNROLL
      for (int i = 0; i < own; ++i) {
        if (column[i] >= 8 * tile_columns) continue;
        const Real a[4] = {low[row[i]], low[row[i] + 8], high[row[i]], high[row[i] + 8]};
        const Real b[2] = {low[column[i]], high[column[i]]};
        multiply_on_cores(P[i][0], P[i][1], P[i][2], P[i][3], a, b);
      }
    }
    team.team_barrier();  // before P overwrites F
    MINIAPP_UNROLL
    for (int i = 0; i < own; ++i) {
      if (column[i] >= 8 * tile_columns) continue;
      const int strip = row[i] / 16, pitch = strip_pitch(strip);
      Real* const p = scratch + strip_begin(strip) + g * pitch + column[i] - row[i] + 2 * t;
      p[0] = P[i][0], p[1] = P[i][1], p[8 * pitch] = P[i][2], p[8 * pitch + 1] = P[i][3];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void multiply_blocks(const Team& team, Real* scratch, int thread) const {
    static_assert(columns % 6 == 0 && used_blocks <= threads);
    Real P[6][6] = {};
    int block_row = 0, number = thread;
    while (block_row < blocks && number >= blocks - block_row) number -= blocks - block_row++;
    const int row = 6 * block_row, column = 6 * (block_row + number);
    for (int q = 0; q < (block_row < blocks ? num_points : 0); ++q) {
      Pair<Real> a[3], b[3];
      MINIAPP_UNROLL
      for (int u = 0; u < 3; ++u) {
        a[u] = load_pair(scratch + q * stride + row + 2 * u);
        b[u] = load_pair(scratch + q * stride + column + 2 * u);
      }
      MINIAPP_UNROLL
      for (int u = 0; u < 6; ++u) {
        MINIAPP_UNROLL
        for (int v = 0; v < 6; ++v) P[u][v] += a[u / 2][u % 2] * b[v / 2][v % 2];
      }
    }
    team.team_barrier();  // before P overwrites F
    if (block_row >= blocks) return;
    MINIAPP_UNROLL
    for (int u = 0; u < 6; ++u) {
      MINIAPP_UNROLL
      for (int v = 0; v < 6; ++v)
        if (row + u <= column + v) scratch[place(row + u, column + v)] = P[u][v];
    }
  }

  /// Index of P(row, column), where row <= column or both are in the same strip.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int row, int column) {
    const int strip = row / 16;
    return strip_begin(strip) + (row % 16) * strip_pitch(strip) + column - 16 * strip;
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(const Real* scratch, std::int64_t e, int thread) const {
    const Real lambda = materials[2 * e], mu = materials[2 * e + 1];
    Real* const matrix = matrices + e * (9 * n * n);
    for (int x = thread; x < n * n; x += threads) {
      const int r = x / n, s = x % n;
      Real P[9];
      MINIAPP_UNROLL
      for (int c = 0; c < 9; ++c) {
        const int u = c / 3 * n + r, v = c % 3 * n + s;
        P[c] = scratch[u <= v ? place(u, v) : place(v, u)];
      }
      combine(lambda, mu, P);
      MINIAPP_UNROLL
      for (int c = 0; c < 9; ++c) matrix[c * (n * n) + x] = P[c];
    }
  }
};

}  // namespace miniapp::elasticity
