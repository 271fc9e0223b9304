// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/products.hpp"
#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp3_0 {

/// Stiffness and mass at the Gauss points, v = I^T (D^T G D + lambda W) I u, rung 7: one team per element.
/// Interpolates x = I u, sums y = (D^T G D + lambda W) x slice by slice, projects y.
/// A thread keeps columns in registers; all loops are unrolled, rows in scratch padded.
/// New: interpolation and projection use one thread per line of a cube in scratch, where a thread overwrites the line
/// that it has read; in between the slices use the cube's memory.
///   u, v     (e, k, j, i)             nodal values, i fastest; v is overwritten
///   factors  (e, component, c, b, a)  G as rr, rs, rt, ss, st, tt [m], W [m^3] at the Gauss points
/// Scratch: I, D and a cube of m^3. Barriers: 2 m + 9.
/// Source: the 2-D thread structure and the ideas of Swirydowicz et al., IJHPCA 2019, section 6.
template <int order, template <int, int, int> class Products = PlainProducts>
struct Rung7 {
  static constexpr const char* idea =
      "interpolation with one thread per line, the whole cube in scratch: fewer barriers";
  static constexpr int n = order + 1, m = order + 2, points = m * m * m, threads = m * m;
  static constexpr int registers = order < 13 ? 128 : 168;  ///< most registers of a thread
  static constexpr int i_row = padded(n), row = padded(m);  ///< lengths of rows of I, of D, slices and cube
  static constexpr int plane = m * row, cube = m * plane;
  static_assert(cube >= 3 * plane);
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (m * i_row + plane + cube) * sizeof(double);
  /// I and D are written once; each product reads an entry of them, and those of D, except along t, one of a slice; the
  /// cube is written and read six times, slices are written.
  static constexpr int scratch_traffic =
      8 * (m * n + m * m + 2 * n * m * (n * n + n * m + m * m) + 4 * (n * n * m + n * m * m + m * m * m) +
           m * (10 * m * m * m + 3 * m * m));

  struct Columns {
    double node[n], x[m], y[m];
  };
  using Input = ConstInput;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first_node = e * (n * n * n), first_point = e * points;
    double* const I = static_cast<double*>(team.scratch());
    double* const D = I + m * i_row;
    double* const A = D + m * row;
    TeamThreads<Columns, threads> in_parallel(team);
    in_parallel([&](int thread, Columns& column) {
      load_matrix<m, n, i_row, threads>(thread, g.I, I);
      load_matrix<m, m, row, threads>(thread, g.D, D);
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      MINIAPP_UNROLL_ON_DEVICE
      for (int k = 0; k < n; ++k) column.node[k] = g.u(first_node + (k * n + j) * n + i);
    });
    interpolate_cube(I, A, in_parallel);
    sum_slices(D, A, first_point, in_parallel);
    project_cube(I, A, in_parallel);
    in_parallel.without_barrier([&](int thread, Columns& column) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      MINIAPP_UNROLL_ON_DEVICE
      for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) = column.node[k];
    });
  }

  /// Columns of x at the points from columns of u at the nodes.
  KOKKOS_FORCEINLINE_FUNCTION void interpolate_cube(const double* I, double* A,
                                                    TeamThreads<Columns, threads>& in_parallel) const {
    in_parallel([&](int thread, Columns& column) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      double point[m];
      Products<n, m, i_row>::interpolate(I, column.node, point);
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < m; ++c) A[c * plane + j * row + i] = point[c];
    });
    in_parallel([&](int thread, Columns&) {
      const int i = thread % m, c = thread / m;
      if (i >= n) return;
      double node[n], point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int j = 0; j < n; ++j) node[j] = A[c * plane + j * row + i];
      Products<n, m, i_row>::interpolate(I, node, point);
      MINIAPP_UNROLL_ON_DEVICE
      for (int b = 0; b < m; ++b) A[c * plane + b * row + i] = point[b];
    });
    in_parallel([&](int thread, Columns&) {
      const int b = thread % m, c = thread / m;
      double node[n], point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int i = 0; i < n; ++i) node[i] = A[c * plane + b * row + i];
      Products<n, m, i_row>::interpolate(I, node, point);
      MINIAPP_UNROLL_ON_DEVICE
      for (int a = 0; a < m; ++a) A[c * plane + b * row + a] = point[a];
    });
    in_parallel([&](int thread, Columns& column) {
      const int a = thread % m, b = thread / m;
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < m; ++c) column.x[c] = A[c * plane + b * row + a];
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < m; ++c) column.y[c] = 0;
    });
  }

  /// y += (D^T G D + lambda W) x; slices of x and of two fluxes lie in X.
  KOKKOS_FORCEINLINE_FUNCTION void sum_slices(const double* D, double* X, std::size_t first_point,
                                              TeamThreads<Columns, threads>& in_parallel) const {
    double* const R = X + plane;
    double* const S = R + plane;
    MINIAPP_UNROLL_ON_DEVICE
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Columns& column) {
        const int a = thread % m, b = thread / m;
        X[b * row + a] = column.x[c];
      });
      in_parallel([&](int thread, Columns& column) {
        const int a = thread % m, b = thread / m;
        const auto G = [&](int component) { return g.factors(7 * first_point + (component * m + c) * m * m + thread); };
        double r = 0, s = 0, t = 0;
        MINIAPP_UNROLL_ON_DEVICE
        for (int z = 0; z < m; ++z) r += D[a * row + z] * X[b * row + z];
        MINIAPP_UNROLL_ON_DEVICE
        for (int z = 0; z < m; ++z) s += D[b * row + z] * X[z * row + a];
        MINIAPP_UNROLL_ON_DEVICE
        for (int z = 0; z < m; ++z) t += D[c * row + z] * column.x[z];
        R[b * row + a] = G(0) * r + G(1) * s + G(2) * t;
        S[b * row + a] = G(1) * r + G(3) * s + G(4) * t;
        const double T = G(2) * r + G(4) * s + G(5) * t;
        MINIAPP_UNROLL_ON_DEVICE
        for (int z = 0; z < m; ++z) column.y[z] += D[c * row + z] * T;
        column.y[c] += g.lambda * G(6) * column.x[c];
      });
      in_parallel.without_barrier([&](int thread, Columns& column) {  // it reads R and S, the next phase writes X
        const int a = thread % m, b = thread / m;
        double sum = 0;
        MINIAPP_UNROLL_ON_DEVICE
        for (int z = 0; z < m; ++z) sum += D[z * row + a] * R[b * row + z];
        MINIAPP_UNROLL_ON_DEVICE
        for (int z = 0; z < m; ++z) sum += D[z * row + b] * S[z * row + a];
        column.y[c] += sum;
      });
    }
    in_parallel.barrier();  // the slices' memory is free again
  }

  /// Columns of v at the nodes from columns of y at the points.
  KOKKOS_FORCEINLINE_FUNCTION void project_cube(const double* I, double* A,
                                                TeamThreads<Columns, threads>& in_parallel) const {
    in_parallel([&](int thread, Columns& column) {
      const int a = thread % m, b = thread / m;
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < m; ++c) A[c * plane + b * row + a] = column.y[c];
    });
    in_parallel([&](int thread, Columns&) {
      const int b = thread % m, c = thread / m;
      double node[n], point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int a = 0; a < m; ++a) point[a] = A[c * plane + b * row + a];
      Products<n, m, i_row>::project(I, point, node);
      MINIAPP_UNROLL_ON_DEVICE
      for (int i = 0; i < n; ++i) A[c * plane + b * row + i] = node[i];
    });
    in_parallel([&](int thread, Columns&) {
      const int i = thread % m, c = thread / m;
      if (i >= n) return;
      double node[n], point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int b = 0; b < m; ++b) point[b] = A[c * plane + b * row + i];
      Products<n, m, i_row>::project(I, point, node);
      MINIAPP_UNROLL_ON_DEVICE
      for (int j = 0; j < n; ++j) A[c * plane + j * row + i] = node[j];
    });
    in_parallel.without_barrier([&](int thread, Columns& column) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      double point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < m; ++c) point[c] = A[c * plane + j * row + i];
      Products<n, m, i_row>::project(I, point, column.node);
    });
  }
};

/// Rung 8. New: half of I is read, by its symmetry.
template <int order>
struct Rung8 : Rung7<order, SymmetricProducts> {
  static constexpr const char* idea = "half of I is read, each entry used twice";
  static constexpr int n = order + 1, m = order + 2;
  /// I and D are written once; two products share an entry of I, each with D reads an entry of D and, except along
  /// t, one of a slice; the cube is written and read six times, slices are written.
  static constexpr int scratch_traffic =
      8 * (m * n + m * m + n * m * (n * n + n * m + m * m) + 4 * (n * n * m + n * m * m + m * m * m) +
           m * (10 * m * m * m + 3 * m * m));
};

}  // namespace miniapp::tensor::bp3_0
