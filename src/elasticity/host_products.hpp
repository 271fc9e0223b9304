// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "elasticity/host_integrator.hpp"
#include "elasticity/host_tiles.hpp"

namespace miniapp::elasticity {

/// Element matrices as one symmetric product, one thread per element:
///   F(q; a, r) = sqrt(w det J) d_a phi_r,   P_ab(r, s) = sum_q F(q; a, r) F(q; b, s),
///   A_ik = lambda P_ik + mu P_ki + delta_ik mu (P_00 + P_11 + P_22)
///   vertices (vertex, d); matrix (i, k, r, s): overwritten
/// F is stored in panels (tile of functions, point, direction, lane). For two tiles, all nine products are accumulated
/// in registers, a number of points at a time, so that the two panels stay in the L1 cache; A and its transposed block
/// are written from the registers. Cost: 9 multiply-adds per point and entry (r, s) on or below the diagonal, where the
/// shorter last tile is padded to a register; the matrix is written once. Workspace: F, 24 bytes per point and
/// function.
template <int order, class Real>
class HostProducts {
 public:
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr std::size_t entries = std::size_t(9) * n * n;
  using Tiles = host::Tiles<n, Real>;
  using Factors = host::Factors<num_points, Real>;
  static constexpr std::size_t panel = Tiles::panel(num_points),
                               workspace_numbers = Factors::numbers + Tiles::count * panel;
  static constexpr double flops() {
    return 2.0 * num_points * Tiles::width * (9.0 * Tiles::all_rows() + 9.0 * Tiles::count);
  }

  explicit HostProducts(const basis::PrismTables& tables) : factors_(tables), derivatives_(Tiles::count * panel) {
    for (int r = 0; r < n; ++r)
      for (int q = 0; q < num_points; ++q)
        for (int a = 0; a < 3; ++a)
          derivatives_[(r / width) * panel + (3 * q + a) * width + r % width] =
              static_cast<Real>(tables.derivative(a, q, r));
  }

  void compute(const Real* vertices, Real lambda, Real mu, Real* workspace, Real* matrix) const {
    Real* const panels = workspace + Factors::numbers;
    factors_.compute(vertices, workspace);
    find_gradients(workspace, panels);
    for (int i = 0; i < Tiles::count; ++i)
      for (int j = 0; j <= i; ++j) compute_tile(panels, i, j, lambda, mu, matrix);
  }

 private:
  using V = typename Tiles::V;
  static constexpr int width = Tiles::width;
  static constexpr int points_at_once = 48;  ///< two panels take 18 KiB

  void find_gradients(const Real* factors, Real* panels) const {
    for (int tile = 0; tile < Tiles::count; ++tile)
      for (int q = 0; q < num_points; ++q) {
        const std::size_t place = tile * panel + 3 * q * width;
        const Real* const reference = derivatives_.data() + place;
        const V x = host::take<V>(reference), y = host::take<V>(reference + width),
                z = host::take<V>(reference + 2 * width);
        MINIAPP_UNROLL
        for (int d = 0; d < 3; ++d) {
          const auto factor = [&](int a) { return factors[(3 * a + d) * Factors::stride + q]; };
          host::put<V>(panels + place + d * width, factor(0) * x + factor(1) * y + factor(2) * z);
        }
      }
  }

  void compute_tile(const Real* panels, int i, int j, Real lambda, Real mu, Real* matrix) const {
    V tile[9][width];
    for (int q = 0; q < num_points; q += points_at_once) {
      const Real *const left = panels + i * panel + 3 * q * width, *const right = panels + j * panel + 3 * q * width;
      host::multiply<Tiles>(left, right, Tiles::rows(i), std::min(points_at_once, num_points - q), lambda, mu,
                            [&](int r, int c, const V& value) { tile[c][r] = q == 0 ? value : tile[c][r] + value; });
    }
    for (int c = 0; c < 9; ++c) {
      Real* const direct = matrix + c * (n * n) + (i * n + j) * width;
      Real* const mirrored = matrix + (c % 3 * 3 + c / 3) * (n * n) + (j * n + i) * width;
      host::write_tile<Tiles>(tile[c], i, j, direct, mirrored, n);
    }
  }

  Factors factors_;
  std::vector<Real> derivatives_;  ///< (tile, point, direction, lane), zero beyond the last function
};

}  // namespace miniapp::elasticity
