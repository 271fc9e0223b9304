// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "miniapp/core/teams.hpp"
#include "miniapp/geometry/line.hpp"
#include "tensor/line_tables.hpp"
#include "tensor/lines/line_nodes.hpp"
#include "tensor/lines/scratch_cube.hpp"

namespace miniapp::tensor {

/// BP3.5 and BP3.0 with one thread per line of nodes: data change direction through team scratch, everything else stays
/// in registers across barriers, contractions are even-odd. A team processes several elements at once.
///   factors  computed: 24 coefficients of each element's trilinear map; affine: its seven factors without weights;
///            stored: (element, component, c, b, a), where the lines of quadrature points run along c: (a, b, c) =
///            (r, s, t) for BP3.5, (s, t, r) for BP3.0
/// Scratch: two cubes per element and its coefficients. Bytes per element: vectors, 4 n^3 for the map, 192 (affine: 56)
/// for the geometry and 8 q^3 of k, or 56 q^3 of stored factors. Even-odd executes about half of the multiplications
/// that tensor::cost() counts.
template <Problem problem, int order, class Real, Geometry geometry, bool varies, class Nodes>
struct StiffnessLinesKernel {
  using Tables = LineTables<problem, order, Real, quadrature_points(problem, order, geometry)>;
  using Line =
      std::conditional_t<geometry == Geometry::affine, geometry::ConstantLine<Real>, geometry::StiffnessLine<Real>>;
  static constexpr int n = order + 1, m = Tables::m, q = Tables::q;
  static constexpr int lines = q * q;  ///< per element, in the widest phase
  static constexpr int elements_per_team = lines >= 49 ? 1 : 128 / lines;
  static constexpr int threads = (lines * elements_per_team + 31) / 32 * 32;
  /// That a thread may use, by measurement on an H200 (docs/results/tensor.md).
  static constexpr int registers = sizeof(Real) == 4 && q <= 10 ? 64 : 128;
  static constexpr int teams_at_once = 65536 / (registers * threads) > 0 ? 65536 / (registers * threads) : 1;

  /// Cubes hold (i, j, k). Phases at the points: lines along c, a and b; BP3.0 also interpolates along them.
  static constexpr CubeStrides strides = best_strides(q, q, q, lines, sizeof(Real), [](int row, int plane) {
    constexpr bool collocated = Tables::collocated;
    const int a = collocated ? 1 : row, b = collocated ? row : plane, c = collocated ? plane : 1;
    return std::array{LineWalk{lines, q, a, b, 7 * q}, LineWalk{lines, q, b, c, 4 * q},
                      LineWalk{lines, q, a, c, 4 * q}};
  });
  static constexpr bool awaits = sizeof(Real) == 4;               ///< in double precision 3 % slower at 4096 elements
  static constexpr bool swizzled = Tables::collocated && q == 8;  ///< i ^ j instead of i: no bank conflicts
  static constexpr int row = swizzled ? 8 : strides.row, plane = swizzled ? 72 : strides.plane, cube = plane * q;
  static constexpr int coefficients = geometry == Geometry::computed ? 24
                                      : geometry == Geometry::affine ? geometry::num_factors
                                                                     : 0;
  static constexpr int element_scratch = 2 * cube + coefficients;
  static constexpr std::size_t scratch_bytes = elements_per_team * element_scratch * sizeof(Real);
  static constexpr std::size_t scratch_traffic =  ///< per element
      (15 * q * q * q + (Tables::collocated ? 0 : 4 * n * m * (n + m))) * sizeof(Real);

  Tables tables;
  Nodes nodes;
  const Real* factors;
  const Real* coefficient;  ///< k at the points, (element, c, b, a), where it varies and the geometry is computed
  Real lambda;
  int elements;

  /// The line and element of a thread in a phase with extent1 * extent2 lines per element.
  struct Place {
    int element;      ///< global number, or -1 if the thread is idle
    int a, b;         ///< indices of the line, a fastest
    Real *A, *B, *K;  ///< cubes and coefficients
  };

  template <int extent1, int extent2>
  KOKKOS_FORCEINLINE_FUNCTION Place place(const Team& team) const {
    const int thread = team.team_rank(), local = thread / (extent1 * extent2), line = thread % (extent1 * extent2);
    const int element = team.league_rank() * elements_per_team + local;
    Real* const A = static_cast<Real*>(team.scratch()) + local * element_scratch;
    return {local < elements_per_team && element < elements ? element : -1,
            line % extent1,
            line / extent1,
            A,
            A + cube,
            A + 2 * cube};
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Place p = place<q, q>(team);
    if (p.element >= 0)
      for (int c = p.b * q + p.a; c < coefficients; c += lines)
        p.K[c] = factors[std::size_t(p.element) * coefficients + c];
    nodes.for_components([&] { team.team_barrier(); },
                         [&](const auto& component) {
                           if constexpr (Tables::collocated)
                             at_nodes(team, component, p);
                           else
                             at_gauss_points(team, component, p);
                         });
  }

  /// u at the nodes (i, j) = (a, b) along t.
  template <class Component, int size>
  KOKKOS_FORCEINLINE_FUNCTION void load_column(const Team& team, const Component& component, const Place& p,
                                               Real (&u)[size]) const {
    typename Component::Place node[n];
    if (p.element >= 0) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) node[k] = component.find(p.element, (k * n + p.b) * n + p.a);
    }
    if constexpr (awaits) team.await();
    if (p.element >= 0) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) u[k] = component.at(node[k]);
    }
  }

  /// BP3.5: a thread owns the line (i, j) = (a, b) along t.
  template <class Component>
  KOKKOS_FORCEINLINE_FUNCTION void at_nodes(const Team& team, const Component& component, const Place& p) const {
    Real u[q];
    load_column(team, component, p, u);
    if (p.element >= 0) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) p.A[at(p.a, p.b, k)] = u[k];
    }
    team.team_barrier();
    const Real energy = apply_points(team, p, u);
    if (p.element >= 0) add_column(component, p, u);
    component.add_energy(team, energy);
  }

  /// BP3.0: interpolation in t, s and r; at the points a thread owns the line (j, k) = (a, b) along r; projection in r,
  /// s and t. A thread overwrites the line that it has read, so that one cube suffices for the interpolation.
  template <class Component>
  KOKKOS_FORCEINLINE_FUNCTION void at_gauss_points(const Team& team, const Component& component, const Place& p) const {
    const Place column = place<n, n>(team), slice = place<n, m>(team);
    Real node[n], point[m];
    load_column(team, component, column, node);
    if (column.element >= 0) {
      apply(tables.interpolation, node, point);
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) column.A[place_of(column.a, column.b, k)] = point[k];
    }
    team.team_barrier();
    if (slice.element >= 0) {
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) node[j] = slice.A[place_of(slice.a, j, slice.b)];
      apply(tables.interpolation, node, point);
      MINIAPP_UNROLL
      for (int j = 0; j < m; ++j) slice.A[place_of(slice.a, j, slice.b)] = point[j];
    }
    team.team_barrier();
    if (p.element >= 0) {
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) node[i] = p.A[place_of(i, p.a, p.b)];
      apply(tables.interpolation, node, point);
      MINIAPP_UNROLL
      for (int i = 0; i < m; ++i) p.A[place_of(i, p.a, p.b)] = point[i];
    }
    team.team_barrier();
    const Real energy = apply_points(team, p, point);
    if (p.element >= 0) {
      apply_transposed(tables.interpolation, point, node);
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) p.A[place_of(i, p.a, p.b)] = node[i];
    }
    team.team_barrier();
    if (slice.element >= 0) {
      MINIAPP_UNROLL
      for (int j = 0; j < m; ++j) point[j] = slice.A[place_of(slice.a, j, slice.b)];
      apply_transposed(tables.interpolation, point, node);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) slice.A[place_of(slice.a, j, slice.b)] = node[j];
    }
    team.team_barrier();
    if (column.element >= 0) {
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) point[k] = column.A[place_of(column.a, column.b, k)];
      apply_transposed(tables.interpolation, point, node);
      add_column(component, column, node);
    }
    component.add_energy(team, energy);
  }

  /// u = (D^T G D + lambda W) u on the line (a, b) that the thread owns along c. Cube A holds u on entry; the
  /// derivatives along a and b pass through the cubes B and A. The last reads of scratch are from the thread's own
  /// line. Returns the line's contribution to u . A u.
  KOKKOS_FORCEINLINE_FUNCTION Real apply_points(const Team& team, const Place& p, Real (&u)[q]) const {
    const bool active = p.element >= 0;
    Real x[q], y[q], flux[q], energy = 0;
    if (active) {
      along_a<false>(p.A, p.B, p, x, y);
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) x[k] = p.A[at(p.a, k, p.b)];
      apply(tables.derivative, x, y);
    }
    team.team_barrier();  // A may be overwritten
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) p.A[at(p.a, k, p.b)] = y[k];
      apply(tables.derivative, u, flux);
    }
    team.team_barrier();
    if (active) energy = apply_factors(p, u, flux);
    team.team_barrier();
    if (active) {
      along_a<true>(p.B, p.B, p, x, y);
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) x[k] = p.A[at(p.a, k, p.b)];
      apply_transposed(tables.derivative, x, y);
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) p.A[at(p.a, k, p.b)] = y[k];
      apply_transposed(tables.derivative, flux, x);
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) u[k] += x[k] + (p.A[at(p.a, p.b, k)] + p.B[at(p.a, p.b, k)]);
    }
    return energy;
  }

  /// Applies D, or its transpose, to a line along a, from one cube to another.
  template <bool transposed>
  KOKKOS_FORCEINLINE_FUNCTION void along_a(const Real* from, Real* to, const Place& p, Real (&x)[q],
                                           Real (&y)[q]) const {
    MINIAPP_UNROLL
    for (int k = 0; k < q; ++k) x[k] = from[at(k, p.a, p.b)];
    if constexpr (transposed)
      apply_transposed(tables.derivative, x, y);
    else
      apply(tables.derivative, x, y);
    MINIAPP_UNROLL
    for (int k = 0; k < q; ++k) to[at(k, p.a, p.b)] = y[k];
  }

  /// On the thread's line: multiplies the derivatives along a (cube B), b (cube A) and c (flux) by G, and u by lambda
  /// W. Returns the energy, grad u . G grad u + u . lambda W u.
  KOKKOS_FORCEINLINE_FUNCTION Real apply_factors(const Place& p, Real (&u)[q], Real (&flux)[q]) const {
    Real energy = 0;
    if constexpr (geometry != Geometry::stored) {
      const Line line = make_line(p);
      const std::size_t first = std::size_t(p.element) * (q * q * q) + p.b * q + p.a;
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) {
        Real &a = p.B[at(p.a, p.b, k)], &b = p.A[at(p.a, p.b, k)];
        const Real slope_a = a, slope_b = b, slope_c = flux[k], value = u[k];
        Real flux_a = slope_a, flux_b = slope_b;
        u[k] *= line.apply(tables.x[k], tables.weight[k], flux_a, flux_b, flux[k]);
        if constexpr (varies) {
          const Real factor = coefficient[first + k * (q * q)];
          flux_a *= factor;
          flux_b *= factor;
          flux[k] *= factor;
        }
        a = flux_a;
        b = flux_b;
        if constexpr (Nodes::with_energy)
          energy += slope_a * flux_a + slope_b * flux_b + slope_c * flux[k] + value * u[k];
      }
    } else {
      constexpr int points = q * q * q;
      const Real* const G = factors + std::size_t(p.element) * (7 * points) + p.b * q + p.a;
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) {
        const Real* const g = G + k * (q * q);
        Real &a = p.B[at(p.a, p.b, k)], &b = p.A[at(p.a, p.b, k)];
        const Real slope_a = a, slope_b = b, slope_c = flux[k], value = u[k];
        const Real flux_a = g[0] * slope_a + g[points] * slope_b + g[2 * points] * slope_c;
        const Real flux_b = g[points] * slope_a + g[3 * points] * slope_b + g[4 * points] * slope_c;
        flux[k] = g[2 * points] * slope_a + g[4 * points] * slope_b + g[5 * points] * slope_c;
        u[k] *= lambda * g[6 * points];
        a = flux_a;
        b = flux_b;
        if constexpr (Nodes::with_energy)
          energy += slope_a * flux_a + slope_b * flux_b + slope_c * flux[k] + value * u[k];
      }
    }
    return energy;
  }

  /// Adds the column (a, b) along t to the nodes.
  template <class Component>
  KOKKOS_FORCEINLINE_FUNCTION void add_column(const Component& component, const Place& p, const Real (&v)[n]) const {
    MINIAPP_UNROLL
    for (int k = 0; k < n; ++k) component.add(p.element, (k * n + p.b) * n + p.a, v[k]);
  }

  /// Index of (i, j, k) in a cube.
  KOKKOS_FORCEINLINE_FUNCTION static int place_of(int i, int j, int k) {
    return k * plane + j * row + (swizzled ? i ^ j : i);
  }
  /// Index of the point (a, b, c) in a cube.
  KOKKOS_FORCEINLINE_FUNCTION static int at(int a, int b, int c) {
    return Tables::collocated ? place_of(a, b, c) : place_of(c, a, b);
  }

  KOKKOS_FORCEINLINE_FUNCTION Line make_line(const Place& p) const {
    using namespace geometry;
    const Real weight = tables.weight[p.a] * tables.weight[p.b], x = tables.x[p.a], y = tables.x[p.b];
    if constexpr (Tables::collocated)
      return Line::template make<along_r, along_s, along_t>(p.K, x, y, weight, lambda);
    else
      return Line::template make<along_s, along_t, along_r>(p.K, x, y, weight, lambda);
  }
};

}  // namespace miniapp::tensor
