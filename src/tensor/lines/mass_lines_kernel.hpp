// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "miniapp/core/teams.hpp"
#include "miniapp/geometry/line.hpp"
#include "tensor/line_tables.hpp"
#include "tensor/lines/line_nodes.hpp"
#include "tensor/lines/scratch_cube.hpp"

namespace miniapp::tensor {

/// BP1.0 with one thread per line of nodes: interpolation in t, s and r, multiplication by w det J, projection in r, s
/// and t. Each group of threads (up to order 7 one warp) has its own element, so that warps do not wait for each other.
/// Contractions are even-odd; det J is triquadratic: its 27 coefficients per element reduce to 3 per line. One cube of
/// scratch per element suffices, since a thread that reads a line writes the same one. Bytes per element: vectors, 4
/// n^3 for the map, 216 for the geometry.
template <int order, class Real, Geometry geometry, class Nodes>
struct MassLinesKernel {
  using Tables = LineTables<Problem::bp1_0, order, Real>;
  static constexpr int n = order + 1, m = order + 2;
  /// Threads per element, by measurement on an H200 (docs/results/tensor.md): beyond order 7 a warp would process too
  /// many lines one after the other; there each thread has two.
  static constexpr int group = m * m <= 16 ? 16 : order < 8 ? 32 : (m * m + 63) / 64 * 32;
  static constexpr int elements_per_team = group > 128 ? 1 : 128 / group;
  static constexpr int threads = group * elements_per_team;
  static constexpr int registers = 96;  ///< most registers of a thread
  static constexpr int teams_at_once = 65536 / (registers * threads);

  /// Phases along t, s and r.
  static constexpr CubeStrides cube = best_strides(n, m, m, group, sizeof(Real), [](int row, int plane) {
    return std::array{LineWalk{n * n, n, 1, row, 2 * m}, LineWalk{n * m, n, 1, plane, 2 * (n + m)},
                      LineWalk{m * m, m, row, plane, 2 * n}};
  });
  static constexpr int coefficients = geometry == Geometry::computed ? 9 * m : 0;
  static constexpr int element_scratch = cube.size + coefficients;
  static constexpr std::size_t scratch_bytes = elements_per_team * element_scratch * sizeof(Real);
  static constexpr std::size_t scratch_traffic = 4 * n * m * (n + m) * sizeof(Real);  ///< per element

  Tables tables;
  Nodes nodes;
  /// computed: (element, a + 3 b + 9 c) of r^a s^b t^c in det J; stored: (element, i, k, j) w det J
  const Real* factors;
  int elements;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int local = team.team_rank() / group, lane = team.team_rank() % group;
    const int wanted = team.league_rank() * elements_per_team + local;
    const bool active = wanted < elements;
    const int e = active ? wanted : elements - 1;  // a group without an element only takes part in the barriers
    Real* const A = static_cast<Real*>(team.scratch()) + local * element_scratch;
    Real* const planes = A + cube.size;  // (k, a + 3 b): of r^a s^b in w_k det J on plane k
    for (int c = lane; c < coefficients; c += group) planes[c] = plane_coefficient(e, c / 9, c % 9);

    nodes.for_components([&] { team.template group_barrier<group>(); },
                         [&](const auto& component) { apply_component(team, component, e, active, lane, A); });
  }

  /// One component of an element; a group without an element only takes part in the barriers.
  template <class Component>
  KOKKOS_FORCEINLINE_FUNCTION void apply_component(const Team& team, const Component& component, int e, bool active,
                                                   int lane, Real* A) const {
    const Real* const planes = A + cube.size;
    for_lines<n * n>(lane, [&](int line) {
      Real u[n], up[m];
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) u[k] = component.load(e, k * n * n + line);
      apply(tables.interpolation, u, up);
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) A[at(line % n, line / n, k)] = up[k];
    });
    team.template group_barrier<group>();
    for_lines<n * m>(lane, [&](int line) {
      Real u[n], up[m];
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) u[j] = A[at(line % n, j, line / n)];
      apply(tables.interpolation, u, up);
      MINIAPP_UNROLL
      for (int j = 0; j < m; ++j) A[at(line % n, j, line / n)] = up[j];
    });
    team.template group_barrier<group>();
    Real energy = 0;
    for_lines<m * m>(lane, [&](int line) {
      const int j = line % m, k = line / m;
      Real u[n], up[m];
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) u[i] = A[at(i, j, k)];
      apply(tables.interpolation, u, up);
      if constexpr (geometry == Geometry::computed)
        energy += scale(planes + 9 * k, j, up);
      else
        energy += scale(factors + std::size_t(e) * (m * m * m) + line, up);
      apply_transposed(tables.interpolation, up, u);
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) A[at(i, j, k)] = u[i];
    });
    team.template group_barrier<group>();
    for_lines<n * m>(lane, [&](int line) {
      Real up[m], u[n];
      MINIAPP_UNROLL
      for (int j = 0; j < m; ++j) up[j] = A[at(line % n, j, line / n)];
      apply_transposed(tables.interpolation, up, u);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) A[at(line % n, j, line / n)] = u[j];
    });
    team.template group_barrier<group>();
    for_lines<n * n>(lane, [&](int line) {
      const int i = line % n, j = line / n;
      Real up[m], u[n];
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) up[k] = A[at(i, j, k)];
      apply_transposed(tables.interpolation, up, u);
      if (active) {
        MINIAPP_UNROLL
        for (int k = 0; k < n; ++k) component.add(e, k * n * n + line, u[k]);
      }
    });
    component.add_energy(team, active ? energy : Real(0));
  }

  /// Coefficient of r^a s^b in w_k det J on plane k, ab = a + 3 b.
  KOKKOS_FORCEINLINE_FUNCTION Real plane_coefficient(int e, int k, int ab) const {
    const Real* const c = factors + std::size_t(e) * 27 + ab;
    const Real t = tables.x[k];
    return tables.weight[k] * (c[0] + t * (c[9] + t * c[18]));
  }

  /// u = w det J u on line j of a plane; returns u . w det J u.
  KOKKOS_FORCEINLINE_FUNCTION Real scale(const Real* plane, int j, Real (&u)[m]) const {
    const Real s = tables.x[j], w = tables.weight[j];
    const geometry::MassLine<Real> line{w * (plane[0] + s * (plane[3] + s * plane[6])),
                                        w * (plane[1] + s * (plane[4] + s * plane[7])),
                                        w * (plane[2] + s * (plane[5] + s * plane[8]))};
    Real energy = 0;
    MINIAPP_UNROLL
    for (int i = 0; i < m; ++i) {
      const Real scaled = line.at(tables.x[i], tables.weight[i]) * u[i];
      if constexpr (Nodes::with_energy) energy += scaled * u[i];
      u[i] = scaled;
    }
    return energy;
  }

  /// Multiplies by w det J of the line's points, which stand m^2 apart.
  KOKKOS_FORCEINLINE_FUNCTION Real scale(const Real* stored, Real (&u)[m]) const {
    Real energy = 0;
    MINIAPP_UNROLL
    for (int i = 0; i < m; ++i) {
      const Real scaled = stored[i * m * m] * u[i];
      if constexpr (Nodes::with_energy) energy += scaled * u[i];
      u[i] = scaled;
    }
    return energy;
  }

  /// Calls f(line) for the lines of this thread.
  template <int lines, class F>
  KOKKOS_FORCEINLINE_FUNCTION static void for_lines(int lane, const F& f) {
    constexpr int rounds = (lines + group - 1) / group;
    if constexpr (rounds <= 3) {
      MINIAPP_UNROLL
      for (int round = 0; round < rounds; ++round)
        if (lane + round * group < lines) f(lane + round * group);
    } else {
      for (int line = lane; line < lines; line += group) f(line);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static int at(int i, int j, int k) { return i + cube.row * j + cube.plane * k; }
};

}  // namespace miniapp::tensor
