// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <type_traits>

#include "elasticity/device_tables.hpp"
#include "elasticity/paper_integrator.hpp"
#include "miniapp/core/async_copy.hpp"

/// Method `products` on devices: P_ab(r, s) = sum_q F_a(q, r) F_b(q, s), F_a(q, r) = sqrt(w det J) d_a phi_r, and
///   A_ik(r, s) = lambda P_ik + mu P_ki + delta_ik mu (P_00 + P_11 + P_22), A_ik(r, s) = A_ki(s, r).
/// So an entry costs one multiply-add per point, lambda and mu once, and half of the entries are copies. Needs w > 0.
namespace miniapp::elasticity {

/// What one load or copy moves.
template <class Real>
struct alignas(16) Packet {
  Real values[16 / sizeof(Real)];
};

/// One team per element, for orders up to 3: the symmetric product of F, (points) x (3 functions), with itself in
/// scratch, then all entries of A in the order of memory.
///   vertices (element, vertex, d), materials (element, 2), matrices (element, i, k, r, s): overwritten
/// With tensor cores a warp has tiles of 16 x 8, without them a thread has a block of 6 x 6, on and above the diagonal.
/// Scratch: F and factors, later P on and above its diagonal strips of 16 rows. Flops: 9 Nsh (Nsh + 1/3) NQ.
template <int order, class Real, bool cores>
struct WholeProducts {
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr int columns = 3 * n, padded_points = round_up(num_points, 8);
  static constexpr int strips = round_up(columns, 16) / 16, tile_columns = round_up(columns, 8) / 8;
  static constexpr int blocks = columns / 6, used_blocks = blocks * (blocks + 1) / 2;
  static constexpr int warps = !cores ? round_up(used_blocks, 32) / 32 : order == 1 ? 2 : order == 2 ? 4 : 16;
  static constexpr int threads = 32 * warps, teams_at_once = order == 1 ? 12 : order == 2 ? 6 : 2;
  static constexpr int stride = round_up(16 * strips - 4, 16) + 4;  ///< of a point in F: rows t, t + 1, .. 4 apart
  static constexpr int width = 8 * tile_columns + 1;                ///< of the first strip of P
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int strip(int R) { return 16 * R * (width - 8 * (R - 1)); }
  static constexpr int gradient_numbers = padded_points * stride + 9 * num_points + 18;
  static constexpr int product_numbers = strip(strips);
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

  /// Tile `number` of those on and above the diagonal, strip by strip: first row and column; columns, if none is left.
  KOKKOS_FORCEINLINE_FUNCTION static void find_tile(int number, int& row, int& column) {
    int R = 0;
    while (R < strips - 1 && number >= tile_columns - 2 * R) number -= tile_columns - 2 * R++;
    row = 16 * R;
    column = 8 * (2 * R + number);
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
      const int R = row[i] / 16, pitch = width - 16 * R;
      Real* const p = scratch + strip(R) + g * pitch + column[i] - row[i] + 2 * t;
      p[0] = P[i][0], p[1] = P[i][1], p[8 * pitch] = P[i][2], p[8 * pitch + 1] = P[i][3];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void multiply_blocks(const Team& team, Real* scratch, int thread) const {
    static_assert(columns % 6 == 0 && used_blocks <= threads);
    Real P[6][6] = {};
    int R = 0, number = thread;
    while (R < blocks && number >= blocks - R) number -= blocks - R++;
    const int row = 6 * R, column = 6 * (R + number);
    for (int q = 0; q < (R < blocks ? num_points : 0); ++q) {
      Pair<Real> a[3], b[3];
      MINIAPP_UNROLL
      for (int u = 0; u < 3; ++u) {
        a[u] = load_pair(scratch + q * stride + row + 2 * u);
        b[u] = load_pair(scratch + q * stride + column + 2 * u);
      }
      MINIAPP_UNROLL
      for (int u = 0; u < 6; ++u) {
        MINIAPP_UNROLL
        for (int v = 0; v < 6; ++v) P[u][v] += a[u / 2].values[u % 2] * b[v / 2].values[v % 2];
      }
    }
    team.team_barrier();  // before P overwrites F
    if (R >= blocks) return;
    MINIAPP_UNROLL
    for (int u = 0; u < 6; ++u) {
      MINIAPP_UNROLL
      for (int v = 0; v < 6; ++v)
        if (row + u <= column + v) scratch[place(row + u, column + v)] = P[u][v];
    }
  }

  /// Place of P(u, v), u <= v or both in the strip of u.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int u, int v) {
    const int R = u / 16;
    return strip(R) + u % 16 * (width - 16 * R) + v - 16 * R;
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

/// F of a slice of elements for TileProducts: one team per eight points of an element.
///   vertices (element, vertex, d), F (element, point, d, r): points and functions padded by zeros
/// Scratch: factors of the points. Writes 24 Nsh NQ bytes per element.
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

/// One team per 32 x 32 functions (r, s) of an element, r0 <= s0, for orders from 4: a warp holds all nine products of
/// 16 x 8 functions in registers; F comes to scratch by copies that run ahead. Tiles on and above the diagonal
/// are computed, those above are written twice.
///   F (element, point, d, r) of ScaledGradients; materials (element, 2); matrices (element, i, k, r, s): overwritten
/// Entries pass through scratch, so that rows of 32 are written. In `bulk` the device's copy engine writes them, where
/// rows begin at multiples of 16 bytes. A warp's stores would hold up the other team's loads from scratch.
/// Scratch: `stages` chunks of F (point; d, r; d, s), later the tile (i, k; r, s), and again (i, k; s, r). Flops:
/// 9 Nsh^2 NQ and tiles' edges.
template <int order, class Real, bool cores>
struct TileProducts {
  using Gradients = ScaledGradients<order, Real>;
  static constexpr int n = Gradients::n, pitch = Gradients::pitch, num_points = Gradients::padded_points;
  static constexpr int side = 32, tiles = round_up(n, side) / side,
                       pairs = tiles * (tiles + 1) / 2;  ///< pairs per element
  static constexpr bool bulk = has_copy_engine && n * sizeof(Real) % 16 == 0;
  static constexpr int threads = 256, teams_at_once = 2;  ///< 128 registers: nine products take 72
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
    int S = 0;
    while ((S + 1) * (S + 2) / 2 <= pair) ++S;
    const int r0 = (pair - S * (S + 1) / 2) * side, s0 = S * side;
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
      const int row_pitch = side + (!bulk ? 1 : mirrored ? 16 / sizeof(Real) : 4);  // few lanes share a bank
      if (active) stage(scratch, row_pitch, r, s, mirrored, lane, products);
      if (active && r0 == s0 && above > 0) stage(scratch, row_pitch, r, s, true, lane, products);
      if constexpr (bulk) show_to_copy_engine();
      team.team_barrier();
      write_rows(scratch, row_pitch, matrices + e * (9 * n * n), mirrored ? s0 : r0, mirrored ? r0 : s0, thread);
    }
  }

  /// Asks for chunk c, on the diagonal for its r only. A thread has a place in the lines of a point, or none. What lies
  /// beyond the last function stays undefined, and is never written.
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

  /// A lane has rows row(0), row(1) and columns column(), column() + 1 of a tile. Rows 2 g and 2 g + 1, which come by
  /// one load, are rows g and g + 8 of A on tensor cores, but conflict where entries pass through scratch. Without
  /// tensor cores lanes that differ in one of the two lowest bits share g or t: so scratch serves both at once.
  static constexpr bool paired_rows = bulk || !cores;
  struct Lane {
    int g, t;
    KOKKOS_FORCEINLINE_FUNCTION explicit Lane(int lane)
        : g(cores ? lane / 4 : (lane / 2 & 3) + lane / 16 * 4), t(cores ? lane % 4 : lane % 2 + (lane / 8 & 1) * 2) {}
    KOKKOS_FORCEINLINE_FUNCTION int row(int i) const { return paired_rows ? 2 * g + i : g + 8 * i; }
    KOKKOS_FORCEINLINE_FUNCTION int column() const { return 2 * t; }
  };

  /// Multiplies a chunk, on tensor cores points t and t + 4 of it in this lane.
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
            a[d][2 * k] = both.values[0], a[d][2 * k + 1] = both.values[1];
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
          for (int j = 0; j < 2; ++j) own.P[3 * c + d][i][j] += a.values[i] * b[d].values[j];
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

  /// A warp's tile, or its mirror image, A_ik(r, s) as A_ki(s, r).
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
          *reinterpret_cast<Pair<Real>*>(tile + (mirrored ? (s + l) * row_pitch + r : (r + l) * row_pitch + s)) = {
              mirrored ? A[0][l] : A[l][0], mirrored ? A[1][l] : A[l][1]};
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

  /// Rows r0.. and columns s0.. of a tile: by the copy engine a thread per row; else a warp per row, a lane per number.
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

template <int order, class Real, bool cores = has_double_cores&& std::is_same_v<Real, double>>
class ProductsIntegrator : public Integrator<Real> {
 public:
  explicit ProductsIntegrator(const Plan& plan)
      : tables_(make_device_tables<Real>(order)),
        slice_size_(std::min<std::size_t>(plan.elements, 1'000'000'000 / (sizeof(Real) * Gradients::numbers))) {
    if constexpr (!whole) F_ = make_vector<Real>("elasticity/F", slice_size_ * Gradients::numbers);
  }

  void run(const Input<Real>& input, const Vector<Real>& matrices) const override {
    const Real *const derivatives = tables_.derivatives.data(), *const points = tables_.points.data();
    if constexpr (whole) {
      for_teams("elasticity/products", static_cast<int>(input.size),
                Kernel{derivatives, points, input.vertices.data(), input.materials.data(), matrices.data()});
    } else {
      for (std::size_t begin = 0; begin < input.size; begin += slice_size_) {
        const auto size = static_cast<int>(std::min(slice_size_, input.size - begin));
        for_teams("elasticity/gradients", size * Gradients::groups,
                  Gradients{derivatives, points, input.vertices.data() + 18 * begin, F_.data()});
        for_teams("elasticity/products", size * Kernel::pairs,
                  Kernel{F_.data(), input.materials.data() + 2 * begin, matrices.data() + begin * 9 * n * n});
      }
    }
  }
  double flops() const override { return 18.0 * n * n * basis::number_of_points(order) / 2; }
  TeamResources resources() const override { return team_resources<Kernel>(); }

 private:
  static constexpr bool whole = order <= 3;
  static constexpr std::size_t n = basis::number_of_shape_functions(order);
  using Gradients = ScaledGradients<order, Real>;
  using Kernel = std::conditional_t<whole, WholeProducts<order, Real, cores>, TileProducts<order, Real, cores>>;
  DeviceTables<Real> tables_;
  std::size_t slice_size_;  ///< elements whose F is held at once, 1 GB of them
  Vector<Real> F_;
};

}  // namespace miniapp::elasticity
