// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/lanes.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/lanes/boxes_kernel.hpp"
#include "tensor/lanes/lane_geometry.hpp"
#include "tensor/lanes/lane_lines.hpp"
#include "tensor/lanes/lane_rows.hpp"
#include "tensor/lanes/lanes_base.hpp"

namespace miniapp::tensor {

/// Prefetches a group's geometry, `bytes` of it, evenly in so many `calls`, so that memory works as long as arithmetic
/// does. In bursts, where lines are used, stored factors take 6 to 19 % longer (docs/results/problems.md); computed
/// geometry, of a tenth of the bytes, is as fast in bursts. It begins half a group ahead: what lies before was fetched
/// during the group before, and is still in the L2 cache.
template <std::size_t bytes, int calls>
class GeometryStream {
 public:
  explicit GeometryStream(const void* lines) : at_(static_cast<const char*>(lines) + bytes / 128 * 64) {}
  [[gnu::always_inline]] void fetch() {
    constexpr int count = (int(bytes / 64) + calls - 1) / calls;
    MINIAPP_UNROLL
    for (int i = 0; i < count; ++i) __builtin_prefetch(at_ + 64 * i, 0, 2);
    at_ += 64 * count;
  }

 private:
  const char* at_;
};

/// The element operators on lanes: T holds one node of lane_width<Real> elements, a group of elements stays in the
/// first cache levels, and every contraction is even-odd along a line of nodes in registers. Rows of nodes are read and
/// written through `rows` (global vectors or E-vectors); `lines` holds the group's geometry, precomputed per line, or
/// one for all lines (affine), and `coefficient`, unless it is null, the coefficient at the points of these lines: of
/// computed geometry alone. Cubes are (k, j, i), i fastest, with planes padded by one entry so that they do not map to
/// the same cache sets.
template <Problem problem, Geometry geometry, int order, class Real, int points>
struct LanesKernel {
  using T = Lanes<Real>;
  static constexpr int n = order + 1, m = points;
  static constexpr int q = points;  ///< quadrature points per direction
  static constexpr int plane = q * q + 1;
  static constexpr bool constant = geometry == Geometry::affine;  ///< one Line for all lines of a group
  static constexpr int lines_per_group = constant ? 1 : q * q, points_per_group = q * q * q;
  using Line = LaneLine<has_stiffness(problem), geometry, q, Real>;
  static_assert(sizeof(Line) == lane_line_size(has_stiffness(problem), geometry, q) * sizeof(T));
  using Rows = tensor::Rows<n, Real>;

  /// What fetches geometry is called with each line where it is used, and with null now and then between.
  struct InBursts {
    [[gnu::always_inline]] void operator()(const Line* line) const {
      if (line) prefetch(line);
    }
  };

  struct Scratch {
    T value[q * plane], flux[q * plane], nodal[n * plane], work[q * q];
  };

  LaneTables<problem, order, Real, points> tables;

  void operator()(const Rows& rows, const Line* lines, const T* coefficient, Scratch& s) const {
    if constexpr (problem == Problem::bp1_0) mass(rows, lines, s);
    if constexpr (problem == Problem::bp3_5) collocated(rows, lines, coefficient, s);
    if constexpr (problem == Problem::bp3_0 && geometry == Geometry::stored) {
      GeometryStream<lines_per_group * sizeof(Line), 2 * n * m + 3 * m * m> stream(lines);
      gauss(
          rows, lines, coefficient, s, [&](const Line*) __attribute__((always_inline)) { stream.fetch(); });
    }
    if constexpr (problem == Problem::bp3_0 && geometry != Geometry::stored)
      gauss(rows, lines, coefficient, s, InBursts{});
  }

  /// BP1.0: interpolates plane by plane in r and s; interpolates along t, multiplies by w det J, projects along t;
  /// projects plane by plane in s and r.
  [[gnu::always_inline]] void mass(const Rows& rows, const Line* lines, Scratch& s) const {
    for (int k = 0; k < n; ++k) interpolate_plane(rows, k, s, InBursts{});
    for (int c = 0; c < m * m; ++c) {
      if (c < n * n) rows.expect_add(c);
      T nodes[n], at_points[m];
      read_line(s.nodal + c, plane, nodes);
      apply(tables.interpolation, nodes, at_points);
      prefetch(lines + c);
      lines[c].scale(tables, at_points);
      apply_transposed_each(tables.interpolation, at_points, WriteLine{s.nodal + c, plane});
    }
    for (int k = 0; k < n; ++k) project_plane(rows, k, s, InBursts{});
  }

  /// BP3.5: d/dt first, then plane by plane (d/ds, d/dr with the geometry, their transposes), the transpose in t last.
  [[gnu::always_inline]] void collocated(const Rows& rows, const Line* lines, const T* coefficient, Scratch& s) const {
    load_and_multiply<n, plane>(rows, tables.derivative, s.value, s.flux);
    apply_planes(rows, lines, coefficient, s, InBursts{});
    for (int c = 0; c < n * n; ++c) {
      T flux[n];
      read_line(s.flux + c, plane, flux);
      apply_transposed_each(tables.derivative, flux, AddLine{s.value + c, plane});
    }
    add_rows<n, plane>(rows, s.value);
  }

  /// BP3.0: BP1.0's interpolation and projection around BP3.5's planes, at the Gauss points.
  template <class Fetch>
  [[gnu::always_inline]] void gauss(const Rows& rows, const Line* lines, const T* coefficient, Scratch& s,
                                    const Fetch& fetch) const {
    for (int k = 0; k < n; ++k) interpolate_plane(rows, k, s, fetch);
    for (int c = 0; c < m * m; ++c) {
      T nodes[n], at_points[m];
      read_line(s.nodal + c, plane, nodes);
      apply(tables.interpolation, nodes, at_points);
      write_line(at_points, s.value + c, plane);
      apply_each(tables.derivative, at_points, WriteLine{s.flux + c, plane});
      fetch(nullptr);
    }
    apply_planes(rows, lines, coefficient, s, fetch);
    for (int c = 0; c < m * m; ++c) {
      T flux[m], sum[m];
      read_line(s.flux + c, plane, flux);
      apply_transposed(tables.derivative, flux, sum);
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) sum[k] += s.value[k * plane + c];
      apply_transposed_each(tables.interpolation, sum, WriteLine{s.nodal + c, plane});
      fetch(nullptr);
    }
    for (int k = 0; k < n; ++k) project_plane(rows, k, s, fetch);
  }

  /// Interpolates the nodes of plane k to Gauss points in r and s: nodal(k, b, a).
  template <class Fetch>
  [[gnu::always_inline]] void interpolate_plane(const Rows& rows, int k, Scratch& s, const Fetch& fetch) const {
    for_lines<n>([&](int j) __attribute__((always_inline)) {
      T nodes[n];
      rows.load(k * n + j, nodes);
      apply_each(tables.interpolation, nodes, WriteLine{s.work + j * m, 1});
    });
    for_lines<m>([&](int a) __attribute__((always_inline)) {
      T nodes[n];
      read_line(s.work + a, m, nodes);
      apply_each(tables.interpolation, nodes, WriteLine{s.nodal + k * plane + a, m});
      fetch(nullptr);
    });
  }

  /// The transpose of interpolate_plane.
  template <class Fetch>
  [[gnu::always_inline]] void project_plane(const Rows& rows, int k, Scratch& s, const Fetch& fetch) const {
    for_lines<m>([&](int a) __attribute__((always_inline)) {
      T at_points[m];
      read_line(s.nodal + k * plane + a, m, at_points);
      apply_transposed_each(tables.interpolation, at_points, WriteLine{s.work + a, m});
      fetch(nullptr);
    });
    for_lines<n>([&](int j) __attribute__((always_inline)) {
      T at_points[m], nodes[n];
      read_line(s.work + j * m, 1, at_points);
      apply_transposed(tables.interpolation, at_points, nodes);
      rows.add(k * n + j, nodes);
    });
  }

  /// On entry value = u and flux = du/dt; on return value = lambda W u + the r and s parts of D^T G D u, flux = the
  /// t component of G D u.
  template <class Fetch>
  [[gnu::always_inline]] void apply_planes(const Rows& rows, const Line* lines, const T* coefficient, Scratch& s,
                                           const Fetch& fetch) const {
    const auto& D = tables.derivative;
    for (int k = 0; k < q; ++k) {
      T *const value = s.value + k * plane, *const flux = s.flux + k * plane;
      for (int i = 0; i < q; ++i) {
        T u[q];
        read_line(value + i, q, u);
        apply_each(D, u, WriteLine{s.work + i, q});
      }
      for (int j = 0; j < q; ++j) {
        if (k < n && j < n) rows.expect_add(k * n + j);
        const auto& line = line_of(lines, k, j);
        if constexpr (!constant) fetch(&line);
        T u[q], slope[q], sum[q];
        read_line(value + j * q, 1, u);
        apply(D, u, slope);
        MINIAPP_UNROLL
        for (int i = 0; i < q; ++i) u[i] *= line.apply(tables, i, s.work[j * q + i], flux[j * q + i], slope[i]);
        if constexpr (geometry == Geometry::computed)
          if (coefficient) multiply(coefficient + (k * q + j) * q, s.work + j * q, flux + j * q, slope);
        apply_transposed(D, slope, sum);
        MINIAPP_UNROLL
        for (int i = 0; i < q; ++i) value[j * q + i] = u[i] + sum[i];
      }
      for (int i = 0; i < q; ++i) {
        T part[q];
        read_line(s.work + i, q, part);
        apply_transposed_each(D, part, AddLine{value + i, q});
      }
    }
  }

  /// The geometry of line (k, j).
  [[gnu::always_inline]] decltype(auto) line_of(const Line* lines, int k, int j) const {
    if constexpr (constant)
      return lines->weighted(tables.weight[k] * tables.weight[j]);
    else
      return (lines[k * q + j]);
  }

  /// The flux at the points of a line by the coefficient.
  [[gnu::always_inline]] static void multiply(const T* coefficient, T* us, T* ut, T (&ur)[q]) {
    MINIAPP_UNROLL
    for (int i = 0; i < q; ++i) {
      us[i] *= coefficient[i];
      ut[i] *= coefficient[i];
      ur[i] *= coefficient[i];
    }
  }

  /// Prefetches the geometry `ahead` bytes later: the stream has too many pauses for the hardware prefetcher.
  static constexpr int ahead = 24 * 15 * 64;
  [[gnu::always_inline]] static void prefetch(const Line* line) {
    for (std::size_t byte = 0; byte < sizeof(Line); byte += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(line) + ahead + byte, 0, 2);
  }

  /// Calls line(i) for i < count, unrolled where lines are short.
  template <int count, class Body>
  [[gnu::always_inline]] static void for_lines(const Body& line) {
    if constexpr (count <= 5) {
      MINIAPP_UNROLL
      for (int i = 0; i < count; ++i) line(i);
    } else {
      for (int i = 0; i < count; ++i) line(i);
    }
  }
};

/// The operator on lanes by the rule of `b`, of `points` points.
template <Problem problem, Geometry geometry, int order, class Real,
          int points = quadrature_points(problem, order, geometry)>
std::unique_ptr<ElementOperator<Real>> make_lanes_operator(const Discretisation& d, const basis::TensorBasis& b) {
  using Body = std::conditional_t<geometry == Geometry::boxes, BoxesKernel<problem, order, Real>,
                                  LanesKernel<problem, geometry, order, Real, points>>;
  LaneKernel kernel{LanesOperator<Real>::template apply_group<Body>, sizeof(typename Body::Scratch),
                    std::make_shared<const Body>(Body{decltype(Body::tables)(b)})};
  return std::make_unique<LanesOperator<Real>>(d, geometry, is_collocated(problem) ? b.nodes : b.points,
                                               std::move(kernel));
}

}  // namespace miniapp::tensor
