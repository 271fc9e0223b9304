// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "elasticity/host_integrator.hpp"
#include "elasticity/host_tiles.hpp"
#include "miniapp/basis/even_odd.hpp"

namespace miniapp::elasticity {

/// Element matrices by sum factorisation, the triangle first and then the line, one thread per element. With
/// q = (ql, qt), r = (k, i), s = (l, j), the line slowest, and G = sqrt(w det J) J^-1,
///   sqrt(w det J) d_a phi_r = F^0_a(ql; qt, i) L_k(ql) + F^1_a(ql; qt, i) L'_k(ql),
///   F^0_a = G_xa dT_i/dx + G_ya dT_i/dy,   F^1_a = G_za T_i
///   Q^tu_ab(ql; i, j) = sum_qt F^t_a(i) F^u_b(j), t, u = 0, 1; lambda and mu are applied here, which is linear
///   U^t_ab(ql; i, j, l) = Q^t0_ab L_l(ql) + Q^t1_ab L'_l(ql)
///   A_ab(k i, l j) = sum_ql L_k(ql) U^0_ab + L'_k(ql) U^1_ab, by even and odd parts (basis/even_odd.hpp)
///   vertices (vertex, d); matrix (a, b, r, s): overwritten
/// The tiles of (i, j) on or below the diagonal are processed one by one: Q of a tile fits in the L2 cache, and Q of
/// one (a, b) in the L1 cache. A and its transposed block are written register by register to distant addresses, which
/// are prefetched before A is computed. Cost per entry (i, j), in multiply-adds: (p + 1) 36 Nqt for Q, 36 (p + 1)^2 for
/// U, 9 (p + 1)^3 for A: at p = 7 the sum is a tenth of the work of HostProducts. Workspace: F and a tile of Q.
template <int order, class Real>
class HostSplit {
 public:
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr int line = order + 1, in_triangle = num_points / line, size = basis::triangle_size(order);
  static constexpr std::size_t entries = std::size_t(9) * n * n;
  using Tiles = host::Tiles<size, Real>;
  using Factors = host::Factors<num_points, Real>;
  static constexpr int width = Tiles::width;
  static constexpr std::size_t panel = Tiles::panel(in_triangle), panels = 2 * line * Tiles::count,
                               tile_of_Q = std::size_t(9) * width * 4 * line * width,
                               workspace_numbers = Factors::numbers + panels * panel + tile_of_Q;
  static constexpr double flops() {
    constexpr int half = line / 2, whole = line - half;
    constexpr double gradients = 9.0 * num_points * Tiles::count, Q = 36.0 * num_points + 4 * 18 * line,
                     U = 9.0 * 4 * line * line, A = 9.0 * line * 2 * (whole * whole + half * half);
    return 2.0 * width * (gradients + Tiles::all_rows() * (Q + U + A));
  }

  explicit HostSplit(const basis::PrismTables& tables)
      : factors_(tables),
        values_(basis::make_even_odd<Real, line, line, basis::Parity::values>(tables.line_values)),
        derivatives_(basis::make_even_odd<Real, line, line, basis::Parity::derivatives>(tables.line_derivatives)),
        triangle_(Tiles::count * panel) {
    for (int q = 0; q < line; ++q)
      for (int l = 0; l < line; ++l) {
        line_[l][q][0] = static_cast<Real>(tables.line_values(q, l));
        line_[l][q][1] = static_cast<Real>(tables.line_derivatives(q, l));
      }
    const auto& [values, x_derivatives, y_derivatives] = tables.triangle;
    for (int i = 0; i < size; ++i)
      for (int q = 0; q < in_triangle; ++q) {
        Real* const to = triangle_.data() + i / width * panel + 3 * q * width + i % width;
        to[0] = static_cast<Real>(x_derivatives(q, i));
        to[width] = static_cast<Real>(y_derivatives(q, i));
        to[2 * width] = static_cast<Real>(values(q, i));
      }
  }

  [[gnu::always_inline]] void compute(const Real* vertices, Real lambda, Real mu, Real* workspace, Real* matrix) const {
    Real *const F = workspace + Factors::numbers, *const Q = F + panels * panel;
    factors_.compute(vertices, workspace);
    for (int q = 0; q < line; ++q)
      for (int tile = 0; tile < Tiles::count; ++tile) find_gradients(workspace, q, tile, F);
    for (int i = 0; i < Tiles::count; ++i)
      for (int j = 0; j <= i; ++j) {
        integrate_over_triangle(F, i, j, lambda, mu, Q);
        for (int c = 0; c < 9; ++c) integrate_over_line(Q, c, i, j, matrix);
      }
  }

 private:
  using V = typename Tiles::V;

  /// Start of a panel of F (line point, tile, t; point, direction, lane).
  static std::size_t panel_at(int q, int tile, int t) { return ((q * Tiles::count + tile) * 2 + t) * panel; }

  void find_gradients(const Real* factors, int line_point, int tile, Real* F) const {
    Real *const across = F + panel_at(line_point, tile, 0), *const along = F + panel_at(line_point, tile, 1);
    for (int q = 0; q < in_triangle; ++q) {
      const Real* const reference = triangle_.data() + tile * panel + 3 * q * width;
      const V x = host::take<V>(reference), y = host::take<V>(reference + width),
              value = host::take<V>(reference + 2 * width);
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) {
        const Real* const factor = factors + d * Factors::stride + line_point * in_triangle + q;
        host::put<V>(across + (3 * q + d) * width, factor[0] * x + factor[3 * Factors::stride] * y);
        host::put<V>(along + (3 * q + d) * width, factor[6 * Factors::stride] * value);
      }
    }
  }

  /// Q of a tile with lambda and mu applied: (component 3 a + b, row, line point, 2 t + u, lane).
  [[gnu::always_inline]] void integrate_over_triangle(const Real* F, int i, int j, Real lambda, Real mu,
                                                      Real* Q) const {
    for (int q = 0; q < line; ++q)
      for (int tu = 0; tu < 4; ++tu)
        host::multiply<Tiles>(F + panel_at(q, i, tu / 2), F + panel_at(q, j, tu % 2), Tiles::rows(i), in_triangle,
                              lambda, mu, [&](int r, int c, const V& value) {
                                host::put(Q + (((c * width + r) * line + q) * 4 + tu) * width, value);
                              });
  }

  [[gnu::noinline]] void integrate_over_line(const Real* Q, int c, int i, int j, Real* matrix) const {
    Real* const direct = matrix + c * (n * n) + (i * n + j) * width;
    Real* const mirrored = matrix + (c % 3 * 3 + c / 3) * (n * n) + (j * n + i) * width;
    V tiles[line][width];  // (k, i)
    for (int l = 0; l < line; ++l) {
      for (int k = 0; k < line; ++k)
        host::prefetch_tile<Tiles>(i, j, direct + (k * n + l) * size, mirrored + (l * n + k) * size, n);
      for (int r = 0; r < Tiles::rows(i); ++r) expand(Q + (c * width + r) * line * 4 * width, line_[l], tiles, r);
      for (int k = 0; k < line; ++k)
        host::write_tile<Tiles>(tiles[k], i, j, direct + (k * n + l) * size, mirrored + (l * n + k) * size, n);
    }
  }

  /// From Q (line point, 2 t + u, lane) to A (k) for one l.
  [[gnu::always_inline]] void expand(const Real* Q, const Real (&at_l)[line][2], V (&tiles)[line][width], int r) const {
    V value[line], derivative[line];
    MINIAPP_UNROLL
    for (int q = 0; q < line; ++q, Q += 4 * width) {
      value[q] = at_l[q][0] * host::take<V>(Q) + at_l[q][1] * host::take<V>(Q + width);
      derivative[q] = at_l[q][0] * host::take<V>(Q + 2 * width) + at_l[q][1] * host::take<V>(Q + 3 * width);
    }
    V sum[line];
    basis::apply_transposed(values_, value, sum);
    basis::apply_transposed_each(derivatives_, derivative, [&](int k, const V& more) { tiles[k][r] = sum[k] + more; });
  }

  Factors factors_;
  basis::EvenOdd<Real, line, line, basis::Parity::values> values_;
  basis::EvenOdd<Real, line, line, basis::Parity::derivatives> derivatives_;
  Real line_[line][line][2];    ///< (l, line point; value, derivative)
  std::vector<Real> triangle_;  ///< (tile, point; dT/dx, dT/dy, T, lane), zero beyond the last function
};

}  // namespace miniapp::elasticity
