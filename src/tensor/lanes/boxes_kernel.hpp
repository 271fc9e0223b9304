// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/lanes.hpp"
#include "tensor/box_tables.hpp"
#include "tensor/lanes/lane_geometry.hpp"
#include "tensor/lanes/lane_lines.hpp"
#include "tensor/lanes/lane_rows.hpp"

namespace miniapp::tensor {

/// The element operators on boxes, in lanes as LanesKernel. With g_a = det J / |x_a|^2, and M and K of BoxTables in the
/// directions (t, s, r):
///   BP1.0          det J  M x M x M
///   BP3.0, BP3.5   g_r M x M x K + g_s M x K x M + g_t K x M x M + lambda det J  M x M x M
/// BP1.0 and BP3.5 (where M is diagonal) need three contractions, BP3.0 seven, of n x n, instead of six and twelve with
/// the quadrature points. Bytes per element: vectors, row starts and bits 6 n^2, 32 for the geometry.
template <Problem problem, int order, class Real>
struct BoxesKernel {
  using T = Lanes<Real>;
  using Line = LaneBox<Real>;
  using Rows = tensor::Rows<order + 1, Real>;
  static constexpr int n = order + 1, plane = n * n + 1;
  static constexpr int lines_per_group = 1, points_per_group = 0;

  struct Scratch {
    T value[n * plane], flux[n * plane], work[n * n], slope[n * n];
  };

  BoxTables<problem, order, Real> tables;

  void operator()(const Rows& rows, const Line* box, const T*, Scratch& s) const {
    if constexpr (problem == Problem::bp1_0) mass(rows, *box, s);
    if constexpr (problem == Problem::bp3_5) collocated(rows, *box, s);
    if constexpr (problem == Problem::bp3_0) gauss(rows, *box, s);
  }

  /// M plane by plane in r and s, then along t.
  [[gnu::always_inline]] void mass(const Rows& rows, const Line& box, Scratch& s) const {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) {
        T nodes[n];
        rows.load(k * n + j, nodes);
        apply_each(tables.mass, nodes, WriteLine{s.work + j * n, 1});
      }
      for (int i = 0; i < n; ++i) {
        T nodes[n];
        read_line(s.work + i, n, nodes);
        apply_each(tables.mass, nodes, WriteLine{s.value + k * plane + i, n});
      }
    }
    for (int c = 0; c < n * n; ++c) {
      rows.expect_add(c);
      T nodes[n], result[n];
      read_line(s.value + c, plane, nodes);
      apply(tables.mass, nodes, result);
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) s.value[k * plane + c] = box.mass * result[k];
    }
    add_rows<n, plane>(rows, s.value);
  }

  /// W^-1 K along t, s and r; the weights last.
  [[gnu::always_inline]] void collocated(const Rows& rows, const Line& box, Scratch& s) const {
    load_and_multiply<n, plane>(rows, tables.stiffness, s.value, s.flux);
    for (int k = 0; k < n; ++k) {
      T *const value = s.value + k * plane, *const flux = s.flux + k * plane;
      for (int i = 0; i < n; ++i) {
        T nodes[n];
        read_line(value + i, n, nodes);
        apply_each(tables.stiffness, nodes, WriteLine{s.work + i, n});
      }
      for (int j = 0; j < n; ++j) {
        rows.expect_add(k * n + j);
        T u[n], slope[n];
        read_line(value + j * n, 1, u);
        apply(tables.stiffness, u, slope);
        const Real weight = tables.weight[k] * tables.weight[j];
        MINIAPP_UNROLL
        for (int i = 0; i < n; ++i)
          u[i] = (weight * tables.weight[i]) *
                 (box.r * slope[i] + box.s * s.work[j * n + i] + (box.t * flux[j * n + i] + box.mass * u[i]));
        rows.add(k * n + j, u);
      }
    }
  }

  /// Plane by plane A = M x M u in `value`, B = (g_r M x K + g_s K x M + lambda det J M x M) u in `flux`; then M B +
  /// g_t K A along t.
  [[gnu::always_inline]] void gauss(const Rows& rows, const Line& box, Scratch& s) const {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) {
        T nodes[n];
        rows.load(k * n + j, nodes);
        apply_each(tables.mass, nodes, WriteLine{s.work + j * n, 1});
        apply_each(tables.stiffness, nodes, WriteLine{s.slope + j * n, 1});
      }
      for (int i = 0; i < n; ++i) {
        T u[n], slope[n], sum[n];
        read_line(s.work + i, n, u);
        read_line(s.slope + i, n, slope);
        apply_each(tables.mass, u, WriteLine{s.value + k * plane + i, n});
        MINIAPP_UNROLL
        for (int j = 0; j < n; ++j) {
          slope[j] = box.r * slope[j] + box.mass * u[j];
          u[j] *= box.s;
        }
        apply(tables.mass, slope, sum);
        apply_each(tables.stiffness, u, AddLine{sum, 1});
        write_line(sum, s.flux + k * plane + i, n);
      }
    }
    for (int c = 0; c < n * n; ++c) {
      rows.expect_add(c);
      T u[n], flux[n], sum[n];
      read_line(s.value + c, plane, u);
      read_line(s.flux + c, plane, flux);
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) u[k] *= box.t;
      apply(tables.mass, flux, sum);
      apply_each(tables.stiffness, u, AddLine{sum, 1});
      write_line(sum, s.value + c, plane);
    }
    add_rows<n, plane>(rows, s.value);
  }
};

}  // namespace miniapp::tensor
