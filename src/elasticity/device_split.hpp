// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <type_traits>

#include "elasticity/device_tables.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/elasticity/integrator.hpp"

namespace miniapp::elasticity {

/// Method `split` on devices. Functions r = (k, i) and points q = (ql, qt) are products of line and triangle, so
///   F_a(q, r) = L_k(ql) F^0_a(q, i) + L'_k(ql) F^1_a(q, i),  F^0_a = g_xa dT_i/dx + g_ya dT_i/dy,  F^1_a = g_za T_i,
/// g = sqrt(w det J) J^-1, and the quadrature goes over the triangle first, t, t' in {0, 1}:
///   one:  Q^tt'_ab(ql; i, j) = sum_qt F^t_a(q, i) F^t'_b(q, j), then combined with lambda and mu as A_ab of P_ab
///   two:  A_ab(k, i; l, j) = sum_ql,t L^t_k(ql) R^t(l),  R^t(l) = sum_t' L^t'_l(ql) Q^tt'_ab(ql; i, j)
/// One team per 8 x 8 functions (i, j) of the triangle, i0 <= j0, and all of the line; entries that lambda and mu mix,
/// the diagonal ones and A_ab with A_ba, one group after the other. Pass one: one warp per ql; F is made where it is
/// used, since the factors take 9 numbers per point. Pass two: one thread per (a, b; i, j) and half of the l, its
/// entries in registers, which go straight to their two places in memory: half a warp, which stores at once, has 4 x 4
/// functions (i, j), so that it fills whole sectors of 32 bytes in both places where (p + 1)(p + 2) / 2 is a multiple
/// of 4.
///   triangle (qt; dT/dx, dT/dy, T; i), points and functions padded by zeros; points (q; x, y, z, w)
///   vertices (element, vertex, d), materials (element, 2), matrices (element, a, b, r, s): overwritten
/// Scratch: factors g, the tile's part of `triangle`, Q of a group (entry; ql, t, t', i, j).
/// Flops: 36 Nt^2 NQ for one, 9 Nt^2 Nl (2 Nl^2 + 4 Nl) for two, and the tiles' edges.
template <int order, class Real, bool cores>
struct SplitKernel {
  static constexpr int nt = basis::triangle_size(order), nl = order + 1, n = nt * nl;
  static constexpr int line_points = nl, points_a_line = basis::number_of_points(order) / line_points;
  static constexpr int padded_points = round_up(points_a_line, 8), pitch = round_up(nt, 8);
  static constexpr int side = 8, tiles = pitch / side, pairs = tiles * (tiles + 1) / 2, area = side * side;
  static constexpr int threads = 256, warps = threads / 32, teams_at_once = 2;
  static constexpr int half = (nl + 1) / 2;       ///< of the l
  static constexpr int most_entries = 3;          ///< of a group
  static constexpr int table_row = 6 * side + 4;  ///< of a point in a tile's tables: four points share no bank
  static constexpr int factor_numbers = line_points * padded_points * 9, table_numbers = padded_points * table_row;
  static constexpr int product_numbers = most_entries * line_points * 4 * area;
  static constexpr std::size_t scratch_bytes = sizeof(Real) * (factor_numbers + table_numbers + product_numbers + 18);
  static_assert(line_points <= warps);

  const Real *triangle, *points, *vertices, *materials;
  Real* matrices;
  Real line[2][line_points][2 * half];  ///< L^t_k(ql), padded by zeros

  struct Scratch {
    Real *products, *factors, *tables, *corners;
  };
  struct alignas(2 * sizeof(Real)) Two {
    Real first, second;
  };
  struct Tile {
    std::int64_t element;
    int i0, j0;
  };
  /// Three diagonal entries, or (a, b) and (b, a).
  template <int size>
  struct Group {
    static constexpr int entries = size;
    int components[size];  ///< left factors
    KOKKOS_FORCEINLINE_FUNCTION static constexpr int right(int x) { return size == 3 ? x : 1 - x; }
  };

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Scratch scratch;
    scratch.products = static_cast<Real*>(team.scratch());
    scratch.factors = scratch.products + product_numbers;
    scratch.tables = scratch.factors + factor_numbers;
    scratch.corners = scratch.tables + table_numbers;
    const int pair = team.league_rank() % pairs;
    int J = 0;
    while ((J + 1) * (J + 2) / 2 <= pair) ++J;
    const Tile tile{team.league_rank() / pairs, (pair - J * (J + 1) / 2) * side, J * side};
    prepare(team, scratch, tile);
    run_group(team, scratch, tile, Group<3>{{0, 1, 2}});
    for (int missing = 0; missing < 3; ++missing)
      run_group(team, scratch, tile, Group<2>{{missing == 0 ? 1 : 0, missing == 2 ? 1 : 2}});
  }

  KOKKOS_FORCEINLINE_FUNCTION void prepare(const Team& team, const Scratch& scratch, const Tile& tile) const {
    const int thread = team.team_rank();
    if (thread < 18) scratch.corners[thread] = vertices[18 * tile.element + thread];
    for (int x = thread; x < padded_points * 6 * side; x += threads) {
      const int qt = x / (6 * side), i = x % (2 * side), d = x / (2 * side) % 3;
      scratch.tables[qt * table_row + d * (2 * side) + i] =
          triangle[(qt * 3 + d) * pitch + (i < side ? tile.i0 + i : tile.j0 + i - side)];
    }
    team.team_barrier();
    for (int q = thread; q < line_points * padded_points; q += threads) {
      const int qt = q % padded_points;
      Real* const factors = scratch.factors + 9 * q;
      if (qt < points_a_line) {
        scaled_inverse(scratch.corners, points + 4 * (q / padded_points * points_a_line + qt), factors);
      } else {
        for (int c = 0; c < 9; ++c) factors[c] = 0;
      }
    }
    team.team_barrier();
  }

  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void run_group(const Team& team, const Scratch& scratch, const Tile& tile,
                                             const Group& group) const {
    const int warp = team.team_rank() / 32, lane = team.team_rank() % 32;
    if (warp < line_points) integrate_triangle(scratch, tile, group, warp, lane);
    team.team_barrier();
    for (int part = warp; part < 4 * Group::entries; part += warps) {
      const int x = part / 4, a = group.components[0], b = group.components[1];
      const int row = Group::entries == 3 ? x : x == 0 ? a : b, column = Group::entries == 3 ? x : x == 0 ? b : a;
      integrate_line(scratch.products + x * (line_points * 4 * area), tile, row, column, part / 2 % 2 * half,
                     part % 2 * 4 + lane / 4 % 4, lane / 16 * 4 + lane % 4);
    }
    team.team_barrier();
  }

  /// Entries (x; t'; t = 0, j = 2 t, 2 t + 1, then t = 1) at i = g of lane 4 g + t: as tensor cores hold them.
  template <int entries>
  struct Products {
    Real Q[entries][2][4] = {};
  };

  /// Place of (i, j) in Q: 4 x 4 of them, what half a warp reads at once, share no bank.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int i, int j) { return i * side + (j ^ (i & 2) * 2); }

  /// F^0_a and F^1_a at a point, function i.
  KOKKOS_FORCEINLINE_FUNCTION static void gradient(const Real* factors, const Real* tables, int i, int a, Real& f0,
                                                   Real& f1) {
    f0 = factors[a] * tables[i] + factors[3 + a] * tables[2 * side + i];
    f1 = factors[6 + a] * tables[4 * side + i];
  }

  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void integrate_triangle(const Scratch& scratch, const Tile& tile, const Group& group,
                                                      int ql, int lane) const {
    const int g = lane / 4, t = lane % 4;
    const Real* const factors = scratch.factors + ql * (9 * padded_points);
    Products<Group::entries> own;
    if constexpr (cores) {
      for (int qt = t; qt < padded_points; qt += 8) multiply_points(factors, scratch.tables, group, qt, g, own);
    } else {
      for (int qt = 0; qt < points_a_line; ++qt) multiply_point(factors, scratch.tables, group, qt, g, t, own);
    }
    const Real lambda = materials[2 * tile.element], mu = materials[2 * tile.element + 1];
    MINIAPP_UNROLL
    for (int m = 0; m < 8; ++m) mix(lambda, mu, own, m / 4, m % 4);
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      MINIAPP_UNROLL
      for (int m = 0; m < 4; ++m) {  // t, t'
        Real* const Q = scratch.products + ((x * line_points + ql) * 4 + m) * area + place(g, 2 * t);
        *reinterpret_cast<Two*>(Q) = {own.Q[x][m % 2][m / 2 * 2], own.Q[x][m % 2][m / 2 * 2 + 1]};
      }
    }
  }

  /// Adds eight points, qt and qt + 4 of them in this lane, on tensor cores.
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION static void multiply_points(const Real* factors, const Real* tables, const Group& group,
                                                          int qt, int g, Products<Group::entries>& own) {
    Real a[Group::entries][4], b[Group::entries][2][2];
    MINIAPP_UNROLL
    for (int h = 0; h < 2; ++h) {
      const Real *const f = factors + 9 * (qt + 4 * h), *const T = tables + table_row * (qt + 4 * h);
      MINIAPP_UNROLL
      for (int x = 0; x < Group::entries; ++x) {
        gradient(f, T, g, group.components[x], a[x][2 * h], a[x][2 * h + 1]);
        gradient(f, T, side + g, group.components[x], b[x][0][h], b[x][1][h]);
      }
    }
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      MINIAPP_UNROLL
      for (int m = 0; m < 2; ++m) {
        auto& Q = own.Q[x][m];
        const auto& right = b[Group::right(x)][m];
        multiply_on_cores(Q[0], Q[1], Q[2], Q[3], a[x], right);
      }
    }
  }

  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION static void multiply_point(const Real* factors, const Real* tables, const Group& group,
                                                         int qt, int g, int t, Products<Group::entries>& own) {
    const Real *const f = factors + 9 * qt, *const T = tables + table_row * qt;
    Real a[Group::entries][2], b[Group::entries][2][2];
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      gradient(f, T, g, group.components[x], a[x][0], a[x][1]);
      MINIAPP_UNROLL
      for (int j = 0; j < 2; ++j) gradient(f, T, side + 2 * t + j, group.components[x], b[x][0][j], b[x][1][j]);
    }
    MINIAPP_UNROLL
    for (int x = 0; x < Group::entries; ++x) {
      MINIAPP_UNROLL
      for (int m = 0; m < 8; ++m) own.Q[x][m / 4][m % 4] += a[x][m / 2 % 2] * b[Group::right(x)][m / 4][m % 2];
    }
  }

  /// P_ab to A_ab, in place.
  template <int entries>
  KOKKOS_FORCEINLINE_FUNCTION static void mix(Real lambda, Real mu, Products<entries>& own, int m, int place) {
    const auto P = [&](int x) -> Real& { return own.Q[x][m][place]; };
    if constexpr (entries == 3) {
      const Real trace = mu * (P(0) + P(1) + P(2)), both = lambda + mu;
      MINIAPP_UNROLL
      for (int x = 0; x < 3; ++x) P(x) = both * P(x) + trace;
    } else {
      const Real old = P(0);
      P(0) = lambda * old + mu * P(1);
      P(1) = lambda * P(1) + mu * old;
    }
  }

  /// Entries (row, column; k, i; l, j) of one (i, j), for half of the l from `l0`.
  KOKKOS_FORCEINLINE_FUNCTION void integrate_line(const Real* products, const Tile& tile, int row, int column, int l0,
                                                  int i, int j) const {
    if (tile.i0 + i >= nt || tile.j0 + j >= nt) return;
    Real A[nl][half] = {};
    MINIAPP_UNROLL
    for (int ql = 0; ql < line_points; ++ql) {
      const Real* const Q = products + ql * (4 * area) + place(i, j);
      const Real q00 = Q[0], q01 = Q[area], q10 = Q[2 * area], q11 = Q[3 * area];
      MINIAPP_UNROLL
      for (int l = 0; l < half; ++l) {
        const Real value = line[0][ql][l0 + l], slope = line[1][ql][l0 + l];
        const Real r0 = value * q00 + slope * q01, r1 = value * q10 + slope * q11;
        MINIAPP_UNROLL
        for (int k = 0; k < nl; ++k) {  // two multiply-adds; in one expression a product, one and a sum
          A[k][l] += line[0][ql][k] * r0;
          A[k][l] += line[1][ql][k] * r1;
        }
      }
    }
    write(A, tile, row, column, l0, tile.i0 + i, tile.j0 + j);
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(const Real (&A)[nl][half], const Tile& tile, int row, int column, int l0,
                                         int i, int j) const {
    Real* const matrix = matrices + tile.element * (9 * n * n);
    Real* const direct = matrix + std::int64_t(3 * row + column) * n * n + i * n + l0 * nt + j;
    Real* const mirrored = matrix + std::int64_t(3 * column + row) * n * n + (l0 * nt + j) * n + i;
    MINIAPP_UNROLL
    for (int l = 0; l < half; ++l) {
      if (l0 + l >= nl) break;
      MINIAPP_UNROLL
      for (int k = 0; k < nl; ++k) direct[k * nt * n + l * nt] = A[k][l];
      if (tile.i0 == tile.j0) continue;
      MINIAPP_UNROLL
      for (int k = 0; k < nl; ++k) mirrored[l * nt * n + k * nt] = A[k][l];
    }
  }
};

template <int order, class Real, bool cores = has_double_cores&& std::is_same_v<Real, double>>
class SplitIntegrator : public Integrator<Real> {
 public:
  SplitIntegrator() : SplitIntegrator(basis::make_prism_tables(order)) {}

  void run(const Instance& instance, const Input<Real>& input, const Vector<Real>& matrices) const override {
    Kernel kernel = kernel_;
    kernel.vertices = input.vertices.data();
    kernel.materials = input.materials.data();
    kernel.matrices = matrices.data();
    for_teams(instance, "elasticity/split", static_cast<int>(input.size) * Kernel::pairs, kernel);
  }
  double flops() const override {
    constexpr double nt = Kernel::nt, nl = Kernel::nl;
    return 36 * nt * nt * basis::number_of_points(order) + 9 * nt * nt * nl * (2 * nl * nl + 4 * nl);
  }
  TeamResources resources() const override { return team_resources<Kernel>(); }

 private:
  using Kernel = SplitKernel<order, Real, cores>;

  explicit SplitIntegrator(const basis::PrismTables& tables)
      : triangle_(make_zeros<Real>("elasticity/triangle", Kernel::padded_points * 3 * Kernel::pitch)),
        points_(make_vector<Real>("elasticity/points", 4 * std::size_t(tables.num_points))) {
    const auto triangle = to_host(triangle_);
    const auto points = Kokkos::create_mirror_view(points_);
    for (int qt = 0; qt < Kernel::points_a_line; ++qt)
      for (int i = 0; i < Kernel::nt; ++i) {
        Real* const T = triangle.data() + qt * 3 * Kernel::pitch + i;
        T[0] = static_cast<Real>(tables.triangle.x_derivatives(qt, i));
        T[Kernel::pitch] = static_cast<Real>(tables.triangle.y_derivatives(qt, i));
        T[2 * Kernel::pitch] = static_cast<Real>(tables.triangle.values(qt, i));
      }
    for (int q = 0; q < tables.num_points; ++q) {
      for (int a = 0; a < 3; ++a) points(4 * q + a) = static_cast<Real>(tables.points[q][a]);
      points(4 * q + 3) = static_cast<Real>(tables.weights[q]);
    }
    Kokkos::deep_copy(triangle_, triangle);
    Kokkos::deep_copy(points_, points);
    kernel_.triangle = triangle_.data();
    kernel_.points = points_.data();
    for (int ql = 0; ql < Kernel::line_points; ++ql)
      for (int k = 0; k < Kernel::nl; ++k) {
        kernel_.line[0][ql][k] = static_cast<Real>(tables.line_values(ql, k));
        kernel_.line[1][ql][k] = static_cast<Real>(tables.line_derivatives(ql, k));
      }
  }

  Vector<Real> triangle_, points_;
  Kernel kernel_{};
};

}  // namespace miniapp::elasticity
