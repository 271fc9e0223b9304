// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "elasticity/elastic.hpp"
#include "elasticity/scaled_gradients.hpp"
#include "miniapp/core/detail/async_copy.hpp"

namespace miniapp::elasticity {

/// The unit of one load or copy.
template <class Real>
struct alignas(16) Packet {
  Real values[16 / sizeof(Real)];
};

/// One team per tile of 32 x 32 functions (r, s) of an element, r0 <= s0, for orders from 4: a warp holds all nine
/// products of 16 x 8 functions in registers; F is copied to scratch asynchronously, ahead of its use. Tiles on and
/// above the diagonal are computed, those above are written twice.
///   F (element, point, d, r) of ScaledGradients; materials (element, 2); matrices (element, i, k, r, s): overwritten
/// Warps of a team, each with 16 rows r by 8 columns s:
///                s = 0 .. 7   8 .. 15   16 .. 23   24 .. 31
///   r =  0 .. 15   warp 0     warp 2     warp 4     warp 6
///   r = 16 .. 31   warp 1     warp 3     warp 5     warp 7
/// On the diagonal (r0 = s0) warps 1 and 3 lie below it and compute nothing. Lanes of a warp: struct Lane.
/// Barriers: one per chunk, and two around each write phase.
/// Entries pass through scratch, so that rows of 32 are written. With `bulk` the device's copy engine writes them, if
/// rows begin at multiples of 16 bytes; stores by warps would delay the other team's loads from scratch.
/// Scratch: `stages` chunks of F (point; d, r; d, s), later the tile (i, k; r, s), and again (i, k; s, r). Flops: 9
/// Nsh^2 NQ, and the padding of edge tiles.
template <int order, class Real, bool cores>
struct TileProducts {
  using Gradients = ScaledGradients<order, Real>;
  static constexpr int n = Gradients::n, pitch = Gradients::pitch, num_points = Gradients::padded_points;
  static constexpr int side = 32, tiles = round_up(n, side) / side,
                       pairs = tiles * (tiles + 1) / 2;  ///< pairs per element
  static constexpr bool bulk = has_copy_engine && n * sizeof(Real) % 16 == 0;
  static constexpr int threads = 256, teams_at_once = 2;  ///< 128 registers, of which the nine products take 72
  static constexpr int chunk = 8, stages = 6, chunks = num_points / chunk;
  static constexpr int stride = 6 * side + 4;
  static constexpr int chunk_numbers = chunk * stride;
  static constexpr std::size_t scratch_bytes = sizeof(Real) * std::max(stages * chunk_numbers, 9 * side * (side + 4));

  /// Entries (row(i), column() + j) of a warp's tile.
  struct Products {
    Real P[9][2][2] = {};
  };

  const Real *F, *materials;
  Real* matrices;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Real* const scratch = static_cast<Real*>(team.scratch());
    const std::int64_t e = team.league_rank() / pairs;
    const int pair = team.league_rank() % pairs, thread = team.team_rank();
    int column_tile = 0;
    while ((column_tile + 1) * (column_tile + 2) / 2 <= pair) ++column_tile;
    const int row_tile = pair - column_tile * (column_tile + 1) / 2;
    const int r0 = row_tile * side, s0 = column_tile * side;
    const int warp = thread / 32, r = warp % 2 * 16, s = warp / 2 * 8, above = (s0 + s) / 16 - (r0 + r) / 16;
    const bool active = r0 + r < n && s0 + s < n && above >= 0;
    const Real* const own = F + e * Gradients::numbers;
    const Lane lane(thread % 32);

    for (int c = 0; c < stages - 1; ++c) copy(own, scratch + c * chunk_numbers, c, r0, s0, thread);
    const Real *const Fr = scratch + r, *const Fs = scratch + s + (r0 == s0 ? 0 : 3 * side);
    Products products;
    int here = 0, last = stages - 1;
    for (int c = 0; c < chunks; ++c) {
      wait_for_groups<stages - 2>();
      team.team_barrier();
      copy(own, scratch + last * chunk_numbers, c + stages - 1, r0, s0, thread);
      if (active) multiply(Fr + here * chunk_numbers, Fs + here * chunk_numbers, lane, products);
      last = here;
      here = here + 1 == stages ? 0 : here + 1;
    }
    combine_products(materials[2 * e], materials[2 * e + 1], products);
    for (int turn = 0; turn < (r0 == s0 ? 1 : 2); ++turn) {
      const bool mirrored = turn == 1;
      team.team_barrier();
      const int row_pitch = side + (!bulk ? 1 : mirrored ? 16 / sizeof(Real) : 4);  // few bank conflicts
      if (active) stage(scratch, row_pitch, r, s, mirrored, lane, products);
      if (active && r0 == s0 && above > 0) stage(scratch, row_pitch, r, s, true, lane, products);
      if constexpr (bulk) show_to_copy_engine();
      team.team_barrier();
      write_rows(scratch, row_pitch, matrices + e * (9 * n * n), mirrored ? s0 : r0, mirrored ? r0 : s0, thread);
    }
  }

  /// Issues the copies of chunk c, on the diagonal of its r only. A thread copies one piece of each point, or none.
  /// Values beyond the last function stay undefined; products with them are never written.
  KOKKOS_FORCEINLINE_FUNCTION static void copy(const Real* own, Real* there, int c, int r0, int s0, int thread) {
    constexpr int length = 16 / sizeof(Real), packets = side / length;
    static_assert(threads / packets >= chunk);
    const int place = thread % packets * length, first = thread / packets;
    const bool of_r = r0 + place < n, of_s = r0 != s0 && s0 + place < n;
    const Real* const from = own + (c * chunk + first) * (3 * pitch) + place;
    Real* const to = there + first * stride + place;
    const auto packet = [&](Real* scratch, const Real* memory) {
      copy_async(reinterpret_cast<Packet<Real>*>(scratch), reinterpret_cast<const Packet<Real>*>(memory));
    };
    if (first < chunk && c < chunks) {
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) {
        if (of_r) packet(to + d * side, from + d * pitch + r0);
        if (of_s) packet(to + (3 + d) * side, from + d * pitch + s0);
      }
    }
    commit_copies();
  }

  /// A lane has rows row(0), row(1) and columns column(), column() + 1 of a tile. On tensor cores rows 2 g and 2 g + 1,
  /// which one load reads, can serve as rows g and g + 8 of A, but they cause bank conflicts when entries pass through
  /// scratch. Without tensor cores, lanes that differ in one of the two lowest bits share g or t, so that one scratch
  /// access serves both.
  static constexpr bool paired_rows = bulk || !cores;
  struct Lane {
    int g, t;
    KOKKOS_FORCEINLINE_FUNCTION explicit Lane(int lane)
        : g(cores ? lane / 4 : (lane / 2 & 3) + lane / 16 * 4), t(cores ? lane % 4 : lane % 2 + (lane / 8 & 1) * 2) {}
    KOKKOS_FORCEINLINE_FUNCTION int row(int i) const { return paired_rows ? 2 * g + i : g + 8 * i; }
    KOKKOS_FORCEINLINE_FUNCTION int column() const { return 2 * t; }
  };

  /// Multiplies a chunk; on tensor cores this lane holds its points t and t + 4.
  KOKKOS_FORCEINLINE_FUNCTION static void multiply(const Real* Fr, const Real* Fs, const Lane& lane, Products& own) {
    if constexpr (!cores) {
      for (int k = 0; k < chunk; ++k) multiply_point(Fr + k * stride + 2 * lane.g, Fs + k * stride + 2 * lane.t, own);
    } else {
      Real a[3][4];
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) {
        MINIAPP_UNROLL
        for (int k = 0; k < 2; ++k) {
          const Real* const f = Fr + (lane.t + 4 * k) * stride + d * side;
          if constexpr (paired_rows) {
            const auto both = load_pair(f + lane.row(0));
            a[d][2 * k] = both.first, a[d][2 * k + 1] = both.second;
          } else {
            a[d][2 * k] = f[lane.row(0)], a[d][2 * k + 1] = f[lane.row(1)];
          }
        }
      }
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) {
        const Real* const f = Fs + lane.t * stride + d * side + lane.g;
        const Real b[2] = {f[0], f[4 * stride]};
        MINIAPP_UNROLL
        for (int c = 0; c < 3; ++c) {
          auto& P = own.P[3 * c + d];
          multiply_on_cores(P[0][0], P[0][1], P[1][0], P[1][1], a[c], b);
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void multiply_point(const Real* Fr, const Real* Fs, Products& own) {
    Pair<Real> b[3];
    MINIAPP_UNROLL
    for (int d = 0; d < 3; ++d) b[d] = load_pair(Fs + d * side);
    MINIAPP_UNROLL
    for (int c = 0; c < 3; ++c) {
      const auto a = load_pair(Fr + c * side);
      MINIAPP_UNROLL
      for (int i = 0; i < 2; ++i) {
        MINIAPP_UNROLL
        for (int d = 0; d < 3; ++d) {
          MINIAPP_UNROLL
          for (int j = 0; j < 2; ++j) own.P[3 * c + d][i][j] += a[i] * b[d][j];
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void combine_products(Real lambda, Real mu, Products& own) {
    MINIAPP_UNROLL
    for (int i = 0; i < 2; ++i) {
      MINIAPP_UNROLL
      for (int j = 0; j < 2; ++j) {
        Real A[9];
        MINIAPP_UNROLL
        for (int c = 0; c < 9; ++c) A[c] = own.P[c][i][j];
        combine(lambda, mu, A);
        MINIAPP_UNROLL
        for (int c = 0; c < 9; ++c) own.P[c][i][j] = A[c];
      }
    }
  }

  /// Stores a warp's tile to scratch, or its transpose, A_ik(r, s) as A_ki(s, r).
  KOKKOS_FORCEINLINE_FUNCTION static void stage(Real* scratch, int row_pitch, int r0, int s0, bool mirrored,
                                                const Lane& lane, const Products& own) {
    const int r = r0 + lane.row(0), s = s0 + lane.column();
    MINIAPP_UNROLL
    for (int c = 0; c < 9; ++c) {
      const Real(&A)[2][2] = own.P[c];
      Real* const tile = scratch + (mirrored ? c % 3 * 3 + c / 3 : c) * side * row_pitch;
      MINIAPP_UNROLL
      for (int l = 0; l < 2; ++l) {
        if constexpr (bulk) {
          store_pair(tile + (mirrored ? (s + l) * row_pitch + r : (r + l) * row_pitch + s),
                     mirrored ? A[0][l] : A[l][0], mirrored ? A[1][l] : A[l][1]);
        } else {
          MINIAPP_UNROLL
          for (int i = 0; i < 2; ++i) {
            const int row = r0 + lane.row(i), column = s + l;
            tile[mirrored ? column * row_pitch + row : row * row_pitch + column] = A[i][l];
          }
        }
      }
    }
  }

  /// Writes rows r0.. and columns s0.. of a tile: with the copy engine one thread per row, else one warp per row and
  /// one lane per entry.
  KOKKOS_FORCEINLINE_FUNCTION static void write_rows(const Real* scratch, int row_pitch, Real* matrix, int r0, int s0,
                                                     int thread) {
    const int columns = n - s0 < side ? n - s0 : side, lane = thread % 32;
    const int first = bulk ? thread : thread / 32, step = bulk ? threads : threads / 32;
    for (int x = first; x < 9 * side; x += step) {
      const int c = x / side, r = x % side;
      if (r0 + r >= n) continue;
      Real* const to = matrix + (c * n + r0 + r) * n + s0;
      const Real* const from = scratch + x * row_pitch;
      if constexpr (bulk)
        store_async(to, from, columns);
      else if (lane < columns)
        to[lane] = from[lane];
    }
    if constexpr (bulk) wait_for_stores();
  }
};

}  // namespace miniapp::elasticity
