// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "elasticity/elastic.hpp"
#include "miniapp/core/kokkos.hpp"
#include "miniapp/core/lanes.hpp"

/// Square tiles of symmetric products in vector registers, the building blocks of the host's element-matrix kernels.
/// Functions are divided into tiles of one register; the first tile of a pair gives the rows, the second the lanes.
/// Tiles on or below the diagonal are computed rather than those above it: as rows, the last, shorter tile is simply
/// shorter, as lanes it would leave lanes idle.
namespace miniapp::elasticity::host {

template <class V, class Real>
[[gnu::always_inline]] inline V take(const Real* from) {
  V value;
  std::memcpy(&value, from, sizeof(V));
  return value;
}
template <class V, class Real>
[[gnu::always_inline]] inline void put(Real* to, const V& value) {
  std::memcpy(to, &value, sizeof(V));
}

/// `functions` divided into tiles.
template <int functions_, class Real_>
struct Tiles {
  using Real = Real_;
  static constexpr int functions = functions_;
  static constexpr int width = [] {  // half a register if all functions fit in it
    int width = lane_width<Real>;
    while (width * sizeof(Real) > 16 && 2 * functions <= width) width /= 2;
    return width;
  }();
  using V = typename detail::Part<width, Real>::type;
  static constexpr int count = (functions + width - 1) / width;
  static constexpr int last = functions - (count - 1) * width;  ///< functions of the last tile
  static constexpr int rows(int tile) { return tile + 1 < count ? width : last; }
  /// Rows of all tiles on or below the diagonal.
  static constexpr int all_rows() {
    int sum = 0;
    for (int tile = 0; tile < count; ++tile) sum += (tile + 1) * rows(tile);
    return sum;
  }
  /// Size of a panel: gradients of a tile's functions at `points` points, (point, direction, lane).
  static constexpr std::size_t panel(int points) { return std::size_t(points) * 3 * width; }
};

/// P_ab(r, s) = sum_q F(q; a, r) F(q; b, s) for `rows` rows and a tile of s, all nine (a, b) in registers, where lambda
/// and mu are applied: take_result(row, 3 a + b, A_ab). 2 rows: 18 sums, 9 loads per point.
template <int rows, class Tiles, class Take>
[[gnu::always_inline]] inline void multiply_rows(const typename Tiles::Real* left, const typename Tiles::Real* right,
                                                 int points, typename Tiles::Real lambda, typename Tiles::Real mu,
                                                 const Take& take_result) {
  using V = typename Tiles::V;
  constexpr int width = Tiles::width;
  V sums[rows][9]{};
  for (int q = 0; q < points; ++q, left += 3 * width, right += 3 * width) {
    const V b0 = take<V>(right), b1 = take<V>(right + width), b2 = take<V>(right + 2 * width);
    MINIAPP_UNROLL
    for (int r = 0; r < rows; ++r) {
      MINIAPP_UNROLL
      for (int a = 0; a < 3; ++a) {
        const typename Tiles::Real f = left[a * width + r];
        sums[r][3 * a] += f * b0;
        sums[r][3 * a + 1] += f * b1;
        sums[r][3 * a + 2] += f * b2;
      }
    }
  }
  MINIAPP_UNROLL
  for (int r = 0; r < rows; ++r) {
    combine(lambda, mu, sums[r]);
    MINIAPP_UNROLL
    for (int c = 0; c < 9; ++c) take_result(r, c, sums[r][c]);
  }
}

/// Multiplies with the first `rows` rows of a panel alone.
template <class Tiles, class Take>
[[gnu::always_inline]] inline void multiply(const typename Tiles::Real* left, const typename Tiles::Real* right,
                                            int rows, int points, typename Tiles::Real lambda, typename Tiles::Real mu,
                                            const Take& take_result) {
  constexpr int at_once = register_bytes == 64 ? 2 : 1;  // as many as registers allow
  int first = 0;
  for (; first + at_once <= rows; first += at_once)
    multiply_rows<at_once, Tiles>(left + first, right, points, lambda, mu,
                                  [&](int r, int c, const auto& value) { take_result(first + r, c, value); });
  if (at_once > 1 && first < rows)
    multiply_rows<1, Tiles>(left + first, right, points, lambda, mu,
                            [&](int, int c, const auto& value) { take_result(first, c, value); });
}

/// Stores a register, or only the valid lanes of the last tile.
template <class Tiles>
[[gnu::always_inline]] inline void store_tile_row(typename Tiles::Real* to, const typename Tiles::V& row, bool whole) {
  if (whole)
    put(to, row);
  else
    detail::store<Tiles::width, Tiles::last>(to, row);
}

/// Prefetches the lines that write_tile() will write: stores that miss all caches would wait for one line after the
/// other.
template <class Tiles>
[[gnu::always_inline]] inline void prefetch_tile(int row_tile, int column_tile, typename Tiles::Real* direct,
                                                 typename Tiles::Real* mirrored, int stride) {
  const int rows = Tiles::rows(row_tile), columns = Tiles::rows(column_tile);
  for (int r = 0; r < rows; ++r) {
    __builtin_prefetch(direct + r * stride, 1);
    __builtin_prefetch(direct + r * stride + columns - 1, 1);
  }
  if (row_tile == column_tile) return;
  for (int s = 0; s < columns; ++s) {
    __builtin_prefetch(mirrored + s * stride, 1);
    __builtin_prefetch(mirrored + s * stride + rows - 1, 1);
  }
}

/// Writes the tile (row_tile, column_tile) to `direct`, and its transpose to `mirrored` unless it is on the diagonal;
/// both point to matrices with row stride `stride`.
template <class Tiles>
[[gnu::always_inline]] inline void write_tile(const typename Tiles::V* tile, int row_tile, int column_tile,
                                              typename Tiles::Real* direct, typename Tiles::Real* mirrored,
                                              int stride) {
  constexpr int width = Tiles::width;
  const int rows = Tiles::rows(row_tile), columns = Tiles::rows(column_tile);
  for (int r = 0; r < rows; ++r) store_tile_row<Tiles>(direct + r * stride, tile[r], columns == width);
  if (row_tile == column_tile) return;
  typename Tiles::V block[width];
  MINIAPP_UNROLL
  for (int r = 0; r < width; ++r) block[r] = tile[r];
  detail::transpose<1, width>(block);
  MINIAPP_UNROLL
  for (int s = 0; s < width; ++s) store_tile_row<Tiles>(mirrored + s * stride, block[s], rows == width);
}

}  // namespace miniapp::elasticity::host
