// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <type_traits>

#include "elasticity/device_tables.hpp"
#include "elasticity/paper_integrator.hpp"
#include "miniapp/core/async_copy.hpp"

/// Method `products` on devices: P_ab(r, s) = sum_q F_a(q, r) F_b(q, s), F_a(q, r) = sqrt(w det J) d_a phi_r, and
///   A_ik(r, s) = lambda P_ik + mu P_ki + delta_ik mu (P_00 + P_11 + P_22), A_ik(r, s) = A_ki(s, r).
/// So an entry costs a multiply-add a point, lambda and mu once, and half of the entries are copies. Needs w > 0.
namespace miniapp::elasticity {

/// What one load or copy moves.
template <class Real>
struct alignas(16) Packet {
  Real values[16 / sizeof(Real)];
};

/// A team an element, for orders up to 3: the symmetric product of F, (points) x (3 functions), with itself in scratch,
/// then all entries of A in the order of memory.
///   vertices (element, vertex, d), materials (element, 2), matrices (element, i, k, r, s): overwritten
/// With tensor cores a warp has tiles of 16 x 8, without a thread has blocks of 4 x 4, on and above the diagonal.
/// Scratch: F and factors, later P on and above its diagonal strips of 16 rows. Flops: 9 Nsh (Nsh + 1/3) NQ.
template <int order, class Real, bool cores>
struct WholeProducts {
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr int columns = 3 * n, padded_points = round_up(num_points, 8);
  static constexpr int strips = round_up(columns, 16) / 16, tile_columns = round_up(columns, 8) / 8;
  static constexpr int blocks = round_up(columns, 4) / 4, used_blocks = blocks * (blocks + 1) / 2;
  static constexpr int warps = order == 1 ? 2 : order == 2 ? 4 : 16, threads = 32 * warps;
  static constexpr int teams_at_once = order == 1 ? 12 : order == 2 ? 6 : 2;
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
        for (int d = 0; d < 3; ++d) g[d] = J[d] * phi[0] + J[3 + d] * phi[n] + J[6 + d] * phi[2 * n];
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
        multiply_on_cores(P[i][0], P[i][1], P[i][2], P[i][3], a, low[column[i]], high[column[i]]);
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
    constexpr int own = (used_blocks + threads - 1) / threads;
    Real P[own][4][4] = {};
    int row[own], column[own];
    MINIAPP_UNROLL
    for (int i = 0; i < own; ++i) {
      int R = 0, number = thread + i * threads;
      while (R < blocks && number >= blocks - R) number -= blocks - R++;
      row[i] = 4 * R;
      column[i] = 4 * (R + number);
    }
    for (int q = 0; q < num_points; ++q) {
      MINIAPP_UNROLL
      for (int i = 0; i < own; ++i) {
        if (row[i] >= columns) continue;
        Real a[4], b[4];
        load_four(scratch + q * stride + row[i], a);
        load_four(scratch + q * stride + column[i], b);
        MINIAPP_UNROLL
        for (int u = 0; u < 4; ++u) {
          MINIAPP_UNROLL
          for (int v = 0; v < 4; ++v) P[i][u][v] += a[u] * b[v];
        }
      }
    }
    team.team_barrier();  // before P overwrites F
    MINIAPP_UNROLL
    for (int i = 0; i < own; ++i) {
      if (row[i] >= columns) continue;
      MINIAPP_UNROLL
      for (int u = 0; u < 4; ++u) {
        MINIAPP_UNROLL
        for (int v = 0; v < 4; ++v) scratch[place(row[i] + u, column[i] + v)] = P[i][u][v];
      }
    }
  }

  /// By wide loads: numbers that start at a multiple of four are aligned to 16 bytes.
  KOKKOS_FORCEINLINE_FUNCTION static void load_four(const Real* from, Real (&to)[4]) {
    constexpr int length = 16 / sizeof(Real);
    MINIAPP_UNROLL
    for (int v = 0; v < 4; v += length) {
      const auto packet = *reinterpret_cast<const Packet<Real>*>(from + v);
      MINIAPP_UNROLL
      for (int w = 0; w < length; ++w) to[v + w] = packet.values[w];
    }
  }

  /// Of P(u, v), u <= v or both in the strip of u.
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

/// F of a slice of elements for TileProducts: a team eight points of an element.
///   vertices (element, vertex, d), F (element, point, d, r): points and functions padded by zeros
/// Scratch: factors of the points. Writes 24 Nsh NQ bytes an element.
template <int order, class Real>
struct ScaledGradients {
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr int pitch = round_up(n, 32), padded_points = round_up(num_points, 8);
  static constexpr int groups = padded_points / 8, numbers = padded_points * 3 * pitch;  ///< an element
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
      Real* const f = F + e * numbers + std::int64_t(q) * 3 * pitch + r;
      Real g[3] = {0, 0, 0};
      if (q < num_points && r < n) {
        const Real *const phi = derivatives + 3 * n * q + r, *const J = factors + 10 * k;
        for (int d = 0; d < 3; ++d) g[d] = J[d] * phi[0] + J[3 + d] * phi[n] + J[6 + d] * phi[2 * n];
      }
      for (int d = 0; d < 3; ++d) f[d * pitch] = g[d];
    }
  }
};

/// A team 32 x 32 functions (r, s) of an element, r0 <= s0, for orders from 4: its four warps hold all nine products
/// of 16 x 16 functions in registers; F comes to scratch by copies that run ahead. The entries then pass through
/// scratch, so that whole rows are written, those of the mirrored tile too.
///   F (element, point, d, r) of ScaledGradients; materials (element, 2); matrices (element, i, k, r, s): overwritten
/// Scratch: `stages` chunks of F (point; d, r; d, s), later the tile (i, k, r, s). Flops: 9 Nsh^2 NQ and tiles' edges.
template <int order, class Real, bool cores>
struct TileProducts {
  using Gradients = ScaledGradients<order, Real>;
  static constexpr int n = Gradients::n, pitch = Gradients::pitch, num_points = Gradients::padded_points;
  static constexpr int side = 32, tiles = pitch / side, pairs = tiles * (tiles + 1) / 2;  ///< pairs an element
  static constexpr int threads = 128, teams_at_once = 2;  ///< 255 registers: nine products take 144
  static constexpr int chunk = 16, stages = 3, chunks = (num_points + chunk - 1) / chunk;
  static constexpr int stride = 6 * side + (cores ? 4 : 0), row = side + 1;
  static constexpr int chunk_numbers = chunk * stride;
  static constexpr std::size_t scratch_bytes = sizeof(Real) * std::max(stages * chunk_numbers, 9 * side * row);

  /// Entries (g + 8 i, column(j)) of a warp's tile.
  struct Products {
    Real P[9][2][4] = {};
  };

  const Real *F, *materials;
  Real* matrices;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Real* const scratch = static_cast<Real*>(team.scratch());
    const std::int64_t e = team.league_rank() / pairs;
    const int pair = team.league_rank() % pairs, thread = team.team_rank();
    int S = 0;
    while ((S + 1) * (S + 2) / 2 <= pair) ++S;
    const int r0 = (pair - S * (S + 1) / 2) * side, s0 = S * side, warp = thread / 32;
    const int r = warp % 2 * 16, s = warp / 2 * 16;
    const bool active = r0 + r < n && s0 + s < n && s0 + s >= r0 + r;
    const Real* const own = F + e * Gradients::numbers;

    for (int c = 0; c < stages - 1; ++c) copy(own, scratch + c * chunk_numbers, c, r0, s0, thread);
    Products products;
    int here = 0, next = stages - 1;
    for (int c = 0; c < chunks; ++c) {
      wait_for_groups<stages - 2>();
      team.team_barrier();
      copy(own, scratch + next * chunk_numbers, c + stages - 1, r0, s0, thread);
      const Real* const chunk_here = scratch + here * chunk_numbers;
      const int left = num_points - c * chunk;
      if (active)
        multiply(chunk_here + r, chunk_here + s + (r0 == s0 ? 0 : 3 * side), left < chunk ? left : chunk, thread % 32,
                 products);
      here = here + 1 == stages ? 0 : here + 1;
      next = next + 1 == stages ? 0 : next + 1;
    }
    team.team_barrier();
    if (active) stage(scratch, materials[2 * e], materials[2 * e + 1], r, s, r0 == s0, thread % 32, products);
    team.team_barrier();
    write(scratch, matrices + e * (9 * n * n), r0, s0, thread);
  }

  /// Asks for chunk c, on the diagonal for its r only. A thread has a place in the lines of some points, so that all of
  /// its addresses are constants from one.
  KOKKOS_FORCEINLINE_FUNCTION static void copy(const Real* own, Real* there, int c, int r0, int s0, int thread) {
    constexpr int length = 16 / sizeof(Real), packets = side / length, points = threads / packets;
    const int place = thread % packets * length, first = thread / packets;
    const Real* const from = own + std::int64_t(c * chunk + first) * (3 * pitch) + place;
    Real* const to = there + first * stride + place;
    const auto packet = [&](Real* scratch, const Real* memory) {
      copy_async(reinterpret_cast<Packet<Real>*>(scratch), reinterpret_cast<const Packet<Real>*>(memory));
    };
    MINIAPP_UNROLL
    for (int k = 0; k < chunk; k += points) {
      if (c * chunk + first + k >= num_points) break;
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) packet(to + k * stride + d * side, from + (3 * k + d) * pitch + r0);
      if (r0 == s0) continue;
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) packet(to + k * stride + (3 + d) * side, from + (3 * k + d) * pitch + s0);
    }
    commit_copies();
  }

  KOKKOS_FORCEINLINE_FUNCTION static int column(int j, int t) { return cores ? j / 2 * 8 + 2 * t + j % 2 : t + 4 * j; }

  KOKKOS_FORCEINLINE_FUNCTION static void multiply(const Real* Fr, const Real* Fs, int points, int lane,
                                                   Products& own) {
    const int g = lane / 4, t = lane % 4;
    if constexpr (cores) {
      for (int k = 0; k < points; k += 8) {
        Real a[3][4];
        MINIAPP_UNROLL
        for (int d = 0; d < 3; ++d) {
          const Real* const f = Fr + (k + t) * stride + d * side + g;
          a[d][0] = f[0], a[d][1] = f[8], a[d][2] = f[4 * stride], a[d][3] = f[4 * stride + 8];
        }
        MINIAPP_UNROLL
        for (int j = 0; j < 4; j += 2) {
          MINIAPP_UNROLL
          for (int d = 0; d < 3; ++d) {
            const Real* const f = Fs + (k + t) * stride + d * side + g + 4 * j;
            const Real b0 = f[0], b1 = f[4 * stride];
            MINIAPP_UNROLL
            for (int c = 0; c < 3; ++c) {
              auto& P = own.P[3 * c + d];
              multiply_on_cores(P[0][j], P[0][j + 1], P[1][j], P[1][j + 1], a[c], b0, b1);
            }
          }
        }
      }
    } else {
      for (int k = 0; k < points; ++k) multiply_point(Fr + k * stride + g, Fs + k * stride + t, own);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void multiply_point(const Real* Fr, const Real* Fs, Products& own) {
    Real b[3][4];
    MINIAPP_UNROLL
    for (int d = 0; d < 3; ++d) {
      MINIAPP_UNROLL
      for (int j = 0; j < 4; ++j) b[d][j] = Fs[d * side + 4 * j];
    }
    MINIAPP_UNROLL
    for (int i = 0; i < 2; ++i) {
      MINIAPP_UNROLL
      for (int c = 0; c < 3; ++c) {
        const Real a = Fr[c * side + 8 * i];
        MINIAPP_UNROLL
        for (int d = 0; d < 3; ++d) {
          MINIAPP_UNROLL
          for (int j = 0; j < 4; ++j) own.P[3 * c + d][i][j] += a * b[d][j];
        }
      }
    }
  }

  /// To scratch, on the diagonal s >= r and its mirror image.
  KOKKOS_FORCEINLINE_FUNCTION static void stage(Real* scratch, Real lambda, Real mu, int r0, int s0, bool diagonal,
                                                int lane, const Products& own) {
    MINIAPP_UNROLL
    for (int i = 0; i < 2; ++i) {
      MINIAPP_UNROLL
      for (int j = 0; j < 4; ++j) {
        const int r = r0 + lane / 4 + 8 * i, s = s0 + column(j, lane % 4);
        Real A[9];
        MINIAPP_UNROLL
        for (int c = 0; c < 9; ++c) A[c] = own.P[c][i][j];
        combine(lambda, mu, A);
        MINIAPP_UNROLL
        for (int c = 0; c < 9; ++c) {
          if (!diagonal || s >= r) scratch[(c * side + r) * row + s] = A[c];
          if (diagonal && s > r) scratch[((c % 3 * 3 + c / 3) * side + s) * row + r] = A[c];
        }
      }
    }
  }

  /// A warp a row of a tile, a lane a number.
  KOKKOS_FORCEINLINE_FUNCTION static void write(const Real* scratch, Real* matrix, int r0, int s0, int thread) {
    const int lane = thread % 32;
    for (int x = thread / 32; x < 9 * side; x += threads / 32) {
      const int c = x / side, k = x % side, mirrored = c % 3 * 3 + c / 3;
      if (r0 + k < n && s0 + lane < n)
        matrix[(std::int64_t(c) * n + r0 + k) * n + s0 + lane] = scratch[(c * side + k) * row + lane];
      if (r0 != s0 && s0 + k < n && r0 + lane < n)
        matrix[(std::int64_t(mirrored) * n + s0 + k) * n + r0 + lane] = scratch[(c * side + lane) * row + k];
    }
  }
};

template <int order, class Real, bool cores = has_double_cores&& std::is_same_v<Real, double>>
class ProductsIntegrator : public Integrator<Real> {
 public:
  ProductsIntegrator() : tables_(make_device_tables<Real>(order)) {
    if constexpr (!whole) F_ = make_vector<Real>("elasticity/F", slice_size * Gradients::numbers);
  }

  void run(const Input<Real>& input, const Vector<Real>& matrices) const override {
    const Real *const derivatives = tables_.derivatives.data(), *const points = tables_.points.data();
    if constexpr (whole) {
      for_teams("elasticity/products", static_cast<int>(input.size),
                Kernel{derivatives, points, input.vertices.data(), input.materials.data(), matrices.data()});
    } else {
      for (std::size_t begin = 0; begin < input.size; begin += slice_size) {
        const auto size = static_cast<int>(std::min(slice_size, input.size - begin));
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
  /// Elements whose F is held at once, 256 MB of them.
  static constexpr std::size_t slice_size = std::max<std::size_t>(1, 256'000'000 / (sizeof(Real) * Gradients::numbers));

  DeviceTables<Real> tables_;
  Vector<Real> F_;
};

}  // namespace miniapp::elasticity
