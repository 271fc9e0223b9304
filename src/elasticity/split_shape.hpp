// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/device_tables.hpp"
#include "miniapp/basis/prism.hpp"

/// What the two passes of SplitKernel share: sizes, scratch, the tile of a team and the entries of a group.
namespace miniapp::elasticity {

template <int order, class Real>
struct SplitShape {
  static constexpr int nt = basis::triangle_size(order), nl = order + 1, n = nt * nl;
  static constexpr int line_points = nl, points_per_line = basis::number_of_points(order) / line_points;
  static constexpr int padded_points = round_up(points_per_line, 8), pitch = round_up(nt, 8);
  static constexpr int side = 8, tiles = pitch / side, pairs = tiles * (tiles + 1) / 2, area = side * side;
  static constexpr int half = (nl + 1) / 2;       ///< the first half of the functions along the line
  static constexpr int most_entries = 3;          ///< the most entries of a group
  static constexpr int table_row = 6 * side + 4;  ///< numbers of a point in a tile's tables: four points share no bank
  static constexpr int factor_numbers = line_points * padded_points * 9, table_numbers = padded_points * table_row;
  static constexpr int product_numbers = most_entries * line_points * 4 * area;
  static constexpr int scratch_numbers = product_numbers + factor_numbers + table_numbers + 18;

  /// Line functions and their slopes at line points (u; ql; k), padded by zeros: L^0 = L, L^1 = L'.
  using Line = Real[2][line_points][2 * half];

  /// A team's scratch.
  struct Scratch {
    Real* products;  ///< Q of a group (entry; ql, u, v; i, j), (i, j) at place(i, j)
    Real* factors;   ///< g (ql, qt; xi, d), zeros behind the last point
    Real* tables;    ///< the tile's part of the triangle's tables (qt; dT/dx, dT/dy, T; its 8 rows i, its 8 columns j)
    Real* corners;   ///< (vertex, d)

    KOKKOS_FORCEINLINE_FUNCTION explicit Scratch(void* scratch)
        : products(static_cast<Real*>(scratch)),
          factors(products + product_numbers),
          tables(factors + factor_numbers),
          corners(tables + table_numbers) {}
    KOKKOS_FORCEINLINE_FUNCTION const Real* products_of(int entry) const {
      return products + entry * (line_points * 4 * area);
    }
  };

  /// Place of (i, j) in Q. 4 x 4 of them, what half a warp reads at once in pass two, share no bank, since every other
  /// two rows have their halves exchanged:
  ///   i = 0, 1, 4, 5:   j = 0 1 2 3   4 5 6 7
  ///   i = 2, 3, 6, 7:   j = 4 5 6 7   0 1 2 3
  KOKKOS_FORCEINLINE_FUNCTION static int place(int i, int j) { return i * side + (j ^ (i & 2) * 2); }
};

/// What the kernel reads. Passes take it by reference: so its pointers are read where they are used, not kept.
template <class Real>
struct SplitInput {
  const Real* triangle;   ///< (qt; dT/dx, dT/dy, T; i), points and functions padded by zeros
  const Real* points;     ///< (q; x, y, z, weight)
  const Real* vertices;   ///< (element, vertex, d)
  const Real* materials;  ///< (element; lambda, mu)
};

/// 8 x 8 functions (i0 + i, j0 + j) of the triangle of one element.
struct SplitTile {
  std::int64_t element;
  int i0, j0;
  KOKKOS_FORCEINLINE_FUNCTION bool on_diagonal() const { return i0 == j0; }
};

/// Entries (a, b) that lambda and mu mix: the three diagonal ones, or (a, b) and (b, a). Products of entry x have a
/// left factor of component row(x) and a right one of component column(x).
template <int size>
struct SplitGroup {
  static constexpr int entries = size;
  int components[size];

  /// column(x) is the component with this number in the group, row(x) the one with number x.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int right(int x) { return size == 3 ? x : 1 - x; }
  KOKKOS_FORCEINLINE_FUNCTION int row(int x) const { return size == 3 ? x : x == 0 ? components[0] : components[1]; }
  KOKKOS_FORCEINLINE_FUNCTION int column(int x) const { return size == 3 ? x : x == 0 ? components[1] : components[0]; }
};

}  // namespace miniapp::elasticity
