// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/split_line.hpp"
#include "elasticity/split_triangle.hpp"
#include "miniapp/core/teams.hpp"

namespace miniapp::elasticity {

/// Element matrices by quadrature over the triangle first (TrianglePass), then over the line (LinePass).
///   input: struct SplitInput; line (u; ql; k); matrices (element, a, b, r, s) with r = (k, i): overwritten
/// One team per 8 x 8 functions (i, j) of the triangle, i0 <= j0, and all of the line. Teams of an element:
///             j = 0 .. 7   8 .. 15   16 .. 23   24 .. 31
///   i =  0 ..  7   team 0     1          3          6        those above the diagonal
///   i =  8 .. 15              2          4          7        are written twice
///   i = 16 .. 23                         5          8
///   i = 24 .. 31                                    9
/// Entries that lambda and mu mix are done one group after the other, in the order of these numbers:
///           b = x  y  z
///   a = x       0  3  2
///   a = y       3  0  1
///   a = z       2  1  0
/// Warps of a team, at p = 7 (below, pass one has p + 1 of them); parts of pass two: struct LineShare.
///   warp                      0      1      2      3      4     5     6     7
///   pass one, ql =            0      1      2      3      4     5     6     7
///   pass two, group 0: parts  0, 8   1, 9   2, 10  3, 11  4     5     6     7
///             others: part    0      1      2      3      4     5     6     7
/// Barriers: after corners, after factors and tables, between the passes, and before the next group overwrites Q.
/// Scratch: struct SplitShape::Scratch. Flops: 36 Nt^2 NQ for one, 9 Nt^2 Nl (2 Nl^2 + 4 Nl) for two, and the tiles'
/// edges.
template <int order, class Real, bool cores>
struct SplitKernel {
  using Shape = SplitShape<order, Real>;
  using Scratch = typename Shape::Scratch;
  static constexpr int threads = 256, warps = threads / 32, teams_at_once = 2;
  static constexpr std::size_t scratch_bytes = sizeof(Real) * Shape::scratch_numbers;
  static_assert(Shape::line_points <= warps);

  SplitInput<Real> input;
  Real* matrices;
  typename Shape::Line line;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Scratch scratch(team.scratch());
    const SplitTile tile = tile_of(team.league_rank());
    prepare(team, scratch, tile);
    run_group(team, scratch, tile, SplitGroup<3>{{0, 1, 2}});
    for (int missing = 0; missing < 3; ++missing)
      run_group(team, scratch, tile, SplitGroup<2>{{missing == 0 ? 1 : 0, missing == 2 ? 1 : 2}});
  }

  KOKKOS_FORCEINLINE_FUNCTION static SplitTile tile_of(int team) {
    const int pair = team % Shape::pairs;
    int J = 0;
    while ((J + 1) * (J + 2) / 2 <= pair) ++J;
    return {team / Shape::pairs, (pair - J * (J + 1) / 2) * Shape::side, J * Shape::side};
  }

  /// Corners, tables and factors.
  KOKKOS_FORCEINLINE_FUNCTION void prepare(const Team& team, const Scratch& scratch, const SplitTile& tile) const {
    constexpr int side = Shape::side, padded_points = Shape::padded_points, points_per_line = Shape::points_per_line;
    const int thread = team.team_rank();
    if (thread < 18) scratch.corners[thread] = input.vertices[18 * tile.element + thread];
    for (int x = thread; x < padded_points * 6 * side; x += threads) {
      const int qt = x / (6 * side), i = x % (2 * side), d = x / (2 * side) % 3;
      scratch.tables[qt * Shape::table_row + d * (2 * side) + i] =
          input.triangle[(qt * 3 + d) * Shape::pitch + (i < side ? tile.i0 + i : tile.j0 + i - side)];
    }
    team.team_barrier();
    for (int q = thread; q < Shape::line_points * padded_points; q += threads) {
      const int qt = q % padded_points;
      Real* const factors = scratch.factors + 9 * q;
      if (qt < points_per_line) {
        scaled_inverse(scratch.corners, input.points + 4 * (q / padded_points * points_per_line + qt), factors);
      } else {
        for (int c = 0; c < 9; ++c) factors[c] = 0;
      }
    }
    team.team_barrier();
  }

  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void run_group(const Team& team, const Scratch& scratch, const SplitTile& tile,
                                             const Group& group) const {
    const int warp = team.team_rank() / 32, lane = team.team_rank() % 32;
    if (warp < Shape::line_points)
      TrianglePass<order, Real, cores>::integrate(scratch, tile, group, input, warp, TileLane(lane));
    team.team_barrier();
    for (int part = warp; part < 4 * Group::entries; part += warps) {
      const LineShare<Shape> share(group, part, lane);
      LinePass<order, Real>::integrate(scratch.products_of(share.entry), line, tile, share, matrices);
    }
    team.team_barrier();
  }
};

}  // namespace miniapp::elasticity
