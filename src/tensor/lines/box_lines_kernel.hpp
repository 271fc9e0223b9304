// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "miniapp/core/teams.hpp"
#include "miniapp/geometry/boxes.hpp"
#include "tensor/box_tables.hpp"
#include "tensor/lines/line_nodes.hpp"
#include "tensor/lines/scratch_cube.hpp"

namespace miniapp::tensor {

/// The operators on boxes with one thread per line of nodes, by the formulas of BoxesKernel: every phase has n^2 lines
/// of n nodes. A thread has the lines along t at the start and at the end, which vectors have side by side.
///   boxes  (element, num_box_factors), the last times lambda where there is stiffness
/// Scratch: a cube per element, two with stiffness. Bytes per element: vectors, 4 n^3 for the map, 32 for the geometry.
template <Problem problem, int order, class Real, class Nodes>
struct BoxLinesKernel {
  static constexpr int n = order + 1, lines = n * n;
  static constexpr int elements_per_team = lines >= 49 ? 1 : 128 / lines;
  static constexpr int threads = (lines * elements_per_team + 31) / 32 * 32;
  static constexpr int registers = sizeof(Real) == 4           ? 64
                                   : n > 10                    ? 128
                                   : problem == Problem::bp3_0 ? 112
                                                               : 96;  ///< that a thread may use
  static constexpr int teams_at_once = 65536 / (registers * threads) > 0 ? 65536 / (registers * threads) : 1;

  static constexpr CubeStrides strides = best_strides(n, n, n, lines, sizeof(Real), [](int row, int plane) {
    return std::array{LineWalk{lines, n, 1, row, 2 * n}, LineWalk{lines, n, 1, plane, 2 * n},
                      LineWalk{lines, n, row, plane, 2 * n}};
  });
  static constexpr bool swizzled = n == 8 && sizeof(Real) == 8;  ///< i ^ j instead of i: no bank conflicts
  static constexpr int row = swizzled ? 8 : strides.row, plane = swizzled ? 72 : strides.plane, cube = plane * n;
  static constexpr int cubes = has_stiffness(problem) ? 2 : 1;
  static constexpr std::size_t scratch_bytes = elements_per_team * cubes * cube * sizeof(Real);
  static constexpr std::size_t scratch_traffic =  ///< per element
      (problem == Problem::bp3_0   ? 11
       : problem == Problem::bp3_5 ? 7
                                   : 6) *
      n * n * n * sizeof(Real);

  enum class Axis { r, s, t };  ///< direction of a line

  BoxTables<problem, order, Real> tables;
  Nodes nodes;
  const Real* boxes;
  int elements;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int local = team.team_rank() / lines, line = team.team_rank() % lines, a = line % n, b = line / n;
    const int element = team.league_rank() * elements_per_team + local;
    const bool active = local < elements_per_team && element < elements;
    Real box[geometry::num_box_factors];
    MINIAPP_UNROLL
    for (int i = 0; i < geometry::num_box_factors; ++i)
      box[i] = active ? boxes[std::size_t(element) * geometry::num_box_factors + i] : Real(0);
    Real* const A = static_cast<Real*>(team.scratch()) + local * cubes * cube;
    nodes.for_components([&] { team.team_barrier(); },
                         [&](const auto& component) {
                           Real u[n], v[n], energy = 0;
                           if (active) {
                             MINIAPP_UNROLL
                             for (int k = 0; k < n; ++k) u[k] = component.load(element, k * lines + line);
                           }
                           apply_matrices(team, active, a, b, box, A, u, v);
                           if (active) {
                             MINIAPP_UNROLL
                             for (int k = 0; k < n; ++k) {
                               component.add(element, k * lines + line, v[k]);
                               if constexpr (Nodes::with_energy) energy += u[k] * v[k];
                             }
                           }
                           component.add_energy(team, energy);
                         });
  }

  /// v = A_L u on the line (i, j) = (a, b) along t, by all threads of the team.
  KOKKOS_FORCEINLINE_FUNCTION void apply_matrices(const Team& team, bool active, int a, int b, const Real (&box)[4],
                                                  Real* A, const Real (&u)[n], Real (&v)[n]) const {
    if constexpr (problem == Problem::bp1_0) mass(team, active, a, b, box, A, u, v);
    if constexpr (problem == Problem::bp3_5) collocated(team, active, a, b, box, A, A + cube, u, v);
    if constexpr (problem == Problem::bp3_0) gauss(team, active, a, b, box, A, A + cube, u, v);
  }

  KOKKOS_FORCEINLINE_FUNCTION void mass(const Team& team, bool active, int a, int b, const Real (&box)[4], Real* A,
                                        const Real (&u)[n], Real (&v)[n]) const {
    if (active) {
      apply(tables.mass, u, v);
      write<Axis::t>(v, A, a, b);
    }
    team.team_barrier();
    if (active) multiply<Axis::s>(tables.mass, A, a, b);
    team.team_barrier();
    if (active) multiply<Axis::r>(tables.mass, A, a, b);
    team.team_barrier();
    if (active) {
      read<Axis::t>(A, a, b, v);
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) v[k] *= box[3];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void collocated(const Team& team, bool active, int a, int b, const Real (&box)[4],
                                              Real* A, Real* B, const Real (&u)[n], Real (&v)[n]) const {
    Real x[n], y[n];
    if (active) {
      write<Axis::t>(u, A, a, b);
      apply(tables.stiffness, u, v);
    }
    team.team_barrier();
    if (active) {
      read<Axis::r>(A, a, b, x);
      apply(tables.stiffness, x, y);
      write<Axis::r>(y, B, a, b);
      read<Axis::s>(A, a, b, x);
      apply(tables.stiffness, x, y);
    }
    team.team_barrier();  // A may be overwritten
    if (active) write<Axis::s>(y, A, a, b);
    team.team_barrier();
    if (active) {
      const Real weight = tables.weight[a] * tables.weight[b];
      read<Axis::t>(B, a, b, x);
      read<Axis::t>(A, a, b, y);
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k)
        v[k] = (weight * tables.weight[k]) * (box[0] * x[k] + box[1] * y[k] + (box[2] * v[k] + box[3] * u[k]));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void gauss(const Team& team, bool active, int a, int b, const Real (&box)[4], Real* A,
                                         Real* B, const Real (&u)[n], Real (&v)[n]) const {
    Real x[n], y[n];
    if (active) {
      apply(tables.mass, u, x);
      apply(tables.stiffness, u, y);
      write<Axis::t>(x, A, a, b);
      write<Axis::t>(y, B, a, b);
    }
    team.team_barrier();
    if (active) {
      read<Axis::s>(A, a, b, x);
      read<Axis::s>(B, a, b, y);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) y[j] = box[2] * y[j] + box[3] * x[j];
      apply(tables.mass, y, v);
      apply(tables.mass, x, y);
      write<Axis::s>(y, A, a, b);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) x[j] *= box[1];
      apply_each(tables.stiffness, x, AddTo{v});
      write<Axis::s>(v, B, a, b);
    }
    team.team_barrier();
    if (active) {
      read<Axis::r>(A, a, b, x);
      read<Axis::r>(B, a, b, y);
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) x[i] *= box[0];
      apply(tables.mass, y, v);
      apply_each(tables.stiffness, x, AddTo{v});
      write<Axis::r>(v, A, a, b);
    }
    team.team_barrier();
    if (active) read<Axis::t>(A, a, b, v);
  }

  /// x = matrix x on line (a, b) of a cube.
  template <Axis axis, class Matrix>
  KOKKOS_FORCEINLINE_FUNCTION static void multiply(const Matrix& matrix, Real* A, int a, int b) {
    Real x[n], y[n];
    read<axis>(A, a, b, x);
    apply(matrix, x, y);
    write<axis>(y, A, a, b);
  }
  template <Axis axis>
  KOKKOS_FORCEINLINE_FUNCTION static void read(const Real* A, int a, int b, Real (&x)[n]) {
    MINIAPP_UNROLL
    for (int i = 0; i < n; ++i) x[i] = A[place<axis>(a, b, i)];
  }
  template <Axis axis>
  KOKKOS_FORCEINLINE_FUNCTION static void write(const Real (&x)[n], Real* A, int a, int b) {
    MINIAPP_UNROLL
    for (int i = 0; i < n; ++i) A[place<axis>(a, b, i)] = x[i];
  }
  /// The index in a cube of node `node` of the line (a, b): (j, k) of a line along r, (i, k) along s, (i, j) along t.
  template <Axis axis>
  KOKKOS_FORCEINLINE_FUNCTION static int place(int a, int b, int node) {
    return axis == Axis::r ? at(node, a, b) : axis == Axis::s ? at(a, node, b) : at(a, b, node);
  }

  /// Adds the entries of a product to y.
  struct AddTo {
    Real* y;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, Real value) const { y[i] += value; }
  };

  /// Index of (i, j, k) in a cube.
  KOKKOS_FORCEINLINE_FUNCTION static int at(int i, int j, int k) {
    return k * plane + j * row + (swizzled ? i ^ j : i);
  }
};

}  // namespace miniapp::tensor
