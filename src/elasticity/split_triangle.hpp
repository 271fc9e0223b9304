// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/warp.hpp"
#include "elasticity/elastic.hpp"
#include "elasticity/split_shape.hpp"

namespace miniapp::elasticity {

/// Pass one of SplitKernel, the quadrature over the triangle: for the entries (a, b) of a group and u, v in {0, 1}
///   Q^uv_ab(ql; i, j) = sum_qt F^u_a(q, i) F^v_b(q, j), q = (ql, qt), then the elastic combination in registers
///   F^0_a(q, i) = g_xa dT_i/dx + g_ya dT_i/dy,   F^1_a(q, i) = g_za T_i
///   factors (qt; xi, d) of one ql, tables (qt; dT/dx, dT/dy, T; i, j), materials (element, 2)
///   products (entry; ql, u, v; i, j): overwritten
/// One warp per ql. Lane 4 g + t has (g, 2 t) and (g, 2 t + 1) of Q for all entries, u and v:
///           j = 0 1   2 3   4 5   6 7
///   i = 0   lane 0    1     2     3
///   i = 1   lane 4    5     6     7
///   ..
///   i = 7   lane 28   29    30    31
/// That is where tensor cores leave it. They take eight points at once, one instruction per entry and v:
///                   8 points q                     8 functions j
///   8 functions i   F^0_a(q, i)    x  8 points q   F^v_b(q, j)   =   Q^0v
///   8 functions i   F^1_a(q, i)                                      Q^1v
/// For these lane 4 g + t makes the F of i = g and of j = g at points t and t + 4. F is made where it is used, since
/// the factors take 9 numbers per point.
template <int order, class Real, bool cores>
struct TrianglePass {
  using Shape = SplitShape<order, Real>;
  using Scratch = typename Shape::Scratch;
  static constexpr int side = Shape::side;

  /// Q[x][v][2 u + h] = Q^uv(g, 2 t + h) of entry x.
  template <int entries>
  struct Sums {
    Real Q[entries][2][4] = {};
  };

  /// All of a line point, by one warp.
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION static void integrate(const Scratch& scratch, const SplitTile& tile, const Group& group,
                                                    const SplitInput<Real>& input, int ql, const TileLane& lane) {
    const Real* const factors = scratch.factors + ql * (9 * Shape::padded_points);
    Sums<Group::entries> own;
    if constexpr (cores) {
      for (int qt = lane.t; qt < Shape::padded_points; qt += 8)
        multiply_points(factors, scratch.tables, group, qt, lane, own);
    } else {
      for (int qt = 0; qt < Shape::points_per_line; ++qt) multiply_point(factors, scratch.tables, group, qt, lane, own);
    }
    const Real lambda = input.materials[2 * tile.element], mu = input.materials[2 * tile.element + 1];
    MINIAPP_UNROLL
    for (int v = 0; v < 2; ++v) {
      MINIAPP_UNROLL
      for (int c = 0; c < 4; ++c) make_elastic(lambda, mu, own, v, c);
    }
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      MINIAPP_UNROLL
      for (int uv = 0; uv < 4; ++uv) {
        const int u = uv / 2, v = uv % 2;
        Real* const Q = scratch.products + ((x * Shape::line_points + ql) * 4 + uv) * Shape::area;
        store_pair(Q + Shape::place(lane.g, 2 * lane.t), own.Q[x][v][2 * u], own.Q[x][v][2 * u + 1]);
      }
    }
  }

  /// F^0_a and F^1_a at a point; i of the tile's rows, or 8 + j of its columns.
  KOKKOS_FORCEINLINE_FUNCTION static void gradient(const Real* factors, const Real* tables, int i, int a, Real& f0,
                                                   Real& f1) {
    f0 = factors[a] * tables[i] + factors[3 + a] * tables[2 * side + i];
    f1 = factors[6 + a] * tables[4 * side + i];
  }

  /// Adds eight points on tensor cores, qt and qt + 4 of them in this lane.
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION static void multiply_points(const Real* factors, const Real* tables, const Group& group,
                                                          int qt, const TileLane& lane, Sums<Group::entries>& own) {
    Real left[Group::entries][4], right[Group::entries][2][2];  // (component; 2 h + u), (component; v; h) at qt + 4 h
    MINIAPP_UNROLL
    for (int h = 0; h < 2; ++h) {
      const Real *const f = factors + 9 * (qt + 4 * h), *const T = tables + Shape::table_row * (qt + 4 * h);
      MINIAPP_UNROLL
      for (int x = 0; x < Group::entries; ++x) {
        gradient(f, T, lane.g, group.components[x], left[x][2 * h], left[x][2 * h + 1]);
        gradient(f, T, side + lane.g, group.components[x], right[x][0][h], right[x][1][h]);
      }
    }
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      MINIAPP_UNROLL
      for (int v = 0; v < 2; ++v) {
        auto& Q = own.Q[x][v];
        multiply_on_cores(Q[0], Q[1], Q[2], Q[3], left[x], right[Group::right(x)][v]);
      }
    }
  }

  /// Adds one point without tensor cores.
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION static void multiply_point(const Real* factors, const Real* tables, const Group& group,
                                                         int qt, const TileLane& lane, Sums<Group::entries>& own) {
    const Real *const f = factors + 9 * qt, *const T = tables + Shape::table_row * qt;
    Real left[Group::entries][2], right[Group::entries][2][2];  // (component; u), (component; v; h)
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      gradient(f, T, lane.g, group.components[x], left[x][0], left[x][1]);
      MINIAPP_UNROLL
      for (int h = 0; h < 2; ++h)
        gradient(f, T, side + 2 * lane.t + h, group.components[x], right[x][0][h], right[x][1][h]);
    }
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      MINIAPP_UNROLL
      for (int m = 0; m < 8; ++m) {
        const int v = m / 4, u = m / 2 % 2, h = m % 2;
        own.Q[x][v][2 * u + h] += left[x][u] * right[Group::right(x)][v][h];
      }
    }
  }

  /// P_ab to A_ab, in place.
  template <int entries>
  KOKKOS_FORCEINLINE_FUNCTION static void make_elastic(Real lambda, Real mu, Sums<entries>& own, int v, int c) {
    if constexpr (entries == 3)
      combine_diagonal(lambda, mu, [&](int x) -> Real& { return own.Q[x][v][c]; });
    else
      combine_mirrored(lambda, mu, own.Q[0][v][c], own.Q[1][v][c]);
  }
};

}  // namespace miniapp::elasticity
