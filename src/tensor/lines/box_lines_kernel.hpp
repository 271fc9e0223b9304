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

  /// v = A_L u on the line (i, j) = (a, b) along t. Lines along s have (i, k) = (a, b), along r (j, k) = (a, b).
  KOKKOS_FORCEINLINE_FUNCTION void apply_matrices(const Team& team, bool active, int a, int b, const Real (&box)[4],
                                                  Real* A, const Real (&u)[n], Real (&v)[n]) const {
    if constexpr (problem == Problem::bp1_0) mass(team, active, a, b, box, A, u, v);
    if constexpr (problem == Problem::bp3_5) collocated(team, active, a, b, box, A, A + cube, u, v);
    if constexpr (problem == Problem::bp3_0) gauss(team, active, a, b, box, A, A + cube, u, v);
  }

  KOKKOS_FORCEINLINE_FUNCTION void mass(const Team& team, bool active, int a, int b, const Real (&box)[4], Real* A,
                                        const Real (&u)[n], Real (&v)[n]) const {
    Real x[n];
    if (active) {
      apply(tables.mass, u, x);
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) A[at(a, b, k)] = x[k];
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) x[j] = A[at(a, j, b)];
      apply(tables.mass, x, v);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) A[at(a, j, b)] = v[j];
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) x[i] = A[at(i, a, b)];
      apply(tables.mass, x, v);
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) A[at(i, a, b)] = v[i];
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) v[k] = box[3] * A[at(a, b, k)];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void collocated(const Team& team, bool active, int a, int b, const Real (&box)[4],
                                              Real* A, Real* B, const Real (&u)[n], Real (&v)[n]) const {
    Real x[n], y[n];
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) A[at(a, b, k)] = u[k];
      apply(tables.stiffness, u, v);
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) x[i] = A[at(i, a, b)];
      apply(tables.stiffness, x, y);
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) B[at(i, a, b)] = y[i];
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) x[j] = A[at(a, j, b)];
      apply(tables.stiffness, x, y);
    }
    team.team_barrier();  // A may be overwritten
    if (active) {
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) A[at(a, j, b)] = y[j];
    }
    team.team_barrier();
    if (active) {
      const Real weight = tables.weight[a] * tables.weight[b];
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k)
        v[k] = (weight * tables.weight[k]) *
               (box[0] * B[at(a, b, k)] + box[1] * A[at(a, b, k)] + (box[2] * v[k] + box[3] * u[k]));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void gauss(const Team& team, bool active, int a, int b, const Real (&box)[4], Real* A,
                                         Real* B, const Real (&u)[n], Real (&v)[n]) const {
    Real x[n], y[n];
    if (active) {
      apply(tables.mass, u, x);
      apply(tables.stiffness, u, y);
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) {
        A[at(a, b, k)] = x[k];
        B[at(a, b, k)] = y[k];
      }
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) {
        x[j] = A[at(a, j, b)];
        y[j] = box[2] * B[at(a, j, b)] + box[3] * x[j];
      }
      apply(tables.mass, y, v);
      apply(tables.mass, x, y);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) {
        A[at(a, j, b)] = y[j];
        x[j] *= box[1];
      }
      add_product(tables.stiffness, x, v);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) B[at(a, j, b)] = v[j];
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) {
        x[i] = box[0] * A[at(i, a, b)];
        y[i] = B[at(i, a, b)];
      }
      apply(tables.mass, y, v);
      add_product(tables.stiffness, x, v);
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) A[at(i, a, b)] = v[i];
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) v[k] = A[at(a, b, k)];
    }
  }

  /// y += matrix x.
  template <class Matrix>
  KOKKOS_FORCEINLINE_FUNCTION static void add_product(const Matrix& matrix, const Real (&x)[n], Real (&y)[n]) {
    apply_each(matrix, x, AddTo{y});
  }
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
