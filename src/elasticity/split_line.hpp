// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/split_shape.hpp"

namespace miniapp::elasticity {

/// What one thread does in pass two: one (i, j) of one entry of a group, for half of the l. A group of e entries has
/// 4 e parts of a warp each:
///   half of the l  i = 0 .. 3    i = 4 .. 7
///   first half     4 entry       4 entry + 1
///   second half    4 entry + 2   4 entry + 3
/// Lanes of a part, from its first i on:
///         j = 0  1  2  3    4  5  6  7
///   i + 0     0  1  2  3   16 17 18 19
///   i + 1     4  5  6  7   20 21 22 23
///   i + 2     8  9 10 11   24 25 26 27
///   i + 3    12 13 14 15   28 29 30 31
/// So half a warp, which stores at once, has 4 x 4 functions, and fills whole sectors of 32 bytes both at A_ab and at
/// its mirror image, where (p + 1)(p + 2) / 2 is a multiple of 4.
template <class Shape>
struct LineShare {
  int entry;        ///< entry of the group
  int row, column;  ///< a, b
  int l0;           ///< first l
  int i, j;         ///< indices in the tile

  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION LineShare(const Group& group, int part, int lane) {
    const int second_half = part / 2 % 2, lower_rows = part % 2, right_columns = lane / 16;
    entry = part / 4;
    row = group.row(entry);
    column = group.column(entry);
    l0 = second_half * Shape::half;
    i = lower_rows * 4 + lane / 4 % 4;
    j = right_columns * 4 + lane % 4;
  }
};

/// Pass two of SplitKernel, the quadrature over the line: for one entry (a, b) and one (i, j)
///   R^u(l) = sum_v L^v_l(ql) Q^uv_ab(ql; i, j),   A_ab(k, i; l, j) = sum_ql,u L^u_k(ql) R^u(l)
///   products (ql, u, v; i, j) of the entry, line (u; ql; k); matrix (a, b, r, s) with r = (k, i): overwritten
/// One thread per LineShare. Its entries (k; l) stay in registers and go straight to their two places in memory.
template <int order, class Real>
struct LinePass {
  using Shape = SplitShape<order, Real>;
  using Share = LineShare<Shape>;
  static constexpr int nt = Shape::nt, nl = Shape::nl, n = Shape::n, half = Shape::half, area = Shape::area;

  KOKKOS_FORCEINLINE_FUNCTION static void integrate(const Real* products, const typename Shape::Line& line,
                                                    const SplitTile& tile, const Share& share, Real* matrices) {
    if (tile.i0 + share.i >= nt || tile.j0 + share.j >= nt) return;
    Real A[nl][half] = {};
    MINIAPP_UNROLL
    for (int ql = 0; ql < Shape::line_points; ++ql) {
      const Real* const Q = products + ql * (4 * area) + Shape::place(share.i, share.j);
      const Real q00 = Q[0], q01 = Q[area], q10 = Q[2 * area], q11 = Q[3 * area];
      MINIAPP_UNROLL
      for (int l = 0; l < half; ++l) {
        const Real value = line[0][ql][share.l0 + l], slope = line[1][ql][share.l0 + l];
        const Real r0 = value * q00 + slope * q01, r1 = value * q10 + slope * q11;
        MINIAPP_UNROLL
        for (int k = 0; k < nl; ++k) {  // two multiply-adds; in one expression a product, one and a sum
          A[k][l] += line[0][ql][k] * r0;
          A[k][l] += line[1][ql][k] * r1;
        }
      }
    }
    write(A, tile, share, matrices);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void write(const Real (&A)[nl][half], const SplitTile& tile, const Share& share,
                                                Real* matrices) {
    const int i = tile.i0 + share.i, j = tile.j0 + share.j, a = share.row, b = share.column, l0 = share.l0;
    Real* const matrix = matrices + tile.element * (9 * n * n);
    Real* const direct = matrix + std::int64_t(3 * a + b) * n * n + i * n + l0 * nt + j;
    Real* const mirrored = matrix + std::int64_t(3 * b + a) * n * n + (l0 * nt + j) * n + i;
    MINIAPP_UNROLL
    for (int l = 0; l < half; ++l) {
      if (l0 + l >= nl) break;
      MINIAPP_UNROLL
      for (int k = 0; k < nl; ++k) direct[k * nt * n + l * nt] = A[k][l];
      if (tile.on_diagonal()) continue;
      MINIAPP_UNROLL
      for (int k = 0; k < nl; ++k) mirrored[l * nt * n + k * nt] = A[k][l];
    }
  }
};

}  // namespace miniapp::elasticity
