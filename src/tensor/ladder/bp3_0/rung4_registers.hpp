// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp3_0 {

/// Stiffness and mass at the Gauss points, v = I^T (D^T G D + lambda W) I u, rung 4: one team per element.
/// Interpolates x = I u, sums y = (D^T G D + lambda W) x and projects y, Gauss slice by Gauss slice.
/// One thread per column (j, i) of nodes or (b, a) of points.
/// New: columns of u, x, y and v are in registers.
///   u, v     (e, k, j, i)             nodal values, i fastest; v is overwritten
///   factors  (e, component, c, b, a)  G as rr, rs, rt, ss, st, tt [m], W [m^3] at the Gauss points
/// Scratch: I, D and three slices of m^2. Barriers: 6 m + 1.
/// Source: the 2-D thread structure and the ideas of Swirydowicz et al., IJHPCA 2019, section 6.
template <int order, bool pads = false>
struct Rung4 {
  static constexpr const char* idea = "each thread keeps its columns in registers";
  static constexpr int n = order + 1, m = order + 2, points = m * m * m, threads = m * m;
  static constexpr int registers = order < 13 ? 128 : 168;  ///< most registers of a thread
  /// Lengths of rows of I, and of rows of D and of slices.
  static constexpr int i_row = pads ? padded(n) : n, row = pads ? padded(m) : m;
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (m * i_row + 4 * m * row) * sizeof(double);
  /// I and D are written once; per slice, each product reads an entry of them and, except along t, one of a slice; sums
  /// are written.
  static constexpr int scratch_traffic =
      8 *
      (m * n + m * m +
       m * (2 * n * (n * n + n * m + m * m) + 2 * n * m * (n + m) + n * n + 2 * n * m + 4 * m * m + 10 * m * m * m));

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
    double* const B = A + m * row;
    double* const C = B + m * row;
    TeamThreads<Columns, threads> in_parallel(team);
    in_parallel([&](int thread, Columns& column) {
      load_matrix<m, n, i_row, threads>(thread, g.I, I);
      load_matrix<m, m, row, threads>(thread, g.D, D);
      for (int c = 0; c < m; ++c) column.y[c] = 0;
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      for (int k = 0; k < n; ++k) column.node[k] = g.u(first_node + (k * n + j) * n + i);
    });
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Columns& column) {
        const int i = thread % m, j = thread / m;
        if (i >= n || j >= n) return;
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += I[c * i_row + k] * column.node[k];
        A[j * row + i] = sum;
      });
      in_parallel([&](int thread, Columns&) {
        const int i = thread % m, b = thread / m;
        if (i >= n) return;
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += I[b * i_row + j] * A[j * row + i];
        B[b * row + i] = sum;
      });
      in_parallel.without_barrier([&](int thread, Columns& column) {  // it reads B, the next phase writes A
        const int a = thread % m, b = thread / m;
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += I[a * i_row + i] * B[b * row + i];
        column.x[c] = sum;
      });
    }
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Columns& column) {
        const int a = thread % m, b = thread / m;
        A[b * row + a] = column.x[c];
      });
      in_parallel([&](int thread, Columns& column) {
        const int a = thread % m, b = thread / m;
        const auto G = [&](int component) { return g.factors(7 * first_point + (component * m + c) * m * m + thread); };
        double r = 0, s = 0, t = 0;
        for (int z = 0; z < m; ++z) r += D[a * row + z] * A[b * row + z];
        for (int z = 0; z < m; ++z) s += D[b * row + z] * A[z * row + a];
        for (int z = 0; z < m; ++z) t += D[c * row + z] * column.x[z];
        B[b * row + a] = G(0) * r + G(1) * s + G(2) * t;
        C[b * row + a] = G(1) * r + G(3) * s + G(4) * t;
        const double T = G(2) * r + G(4) * s + G(5) * t;
        for (int z = 0; z < m; ++z) column.y[z] += D[c * row + z] * T;
        column.y[c] += g.lambda * G(6) * column.x[c];
      });
      in_parallel.without_barrier([&](int thread, Columns& column) {  // it reads B and C, the next phase writes A
        const int a = thread % m, b = thread / m;
        double sum = 0;
        for (int z = 0; z < m; ++z) sum += D[z * row + a] * B[b * row + z];
        for (int z = 0; z < m; ++z) sum += D[z * row + b] * C[z * row + a];
        column.y[c] += sum;
      });
    }
    in_parallel.without_barrier([&](int, Columns& column) {
      for (int k = 0; k < n; ++k) column.node[k] = 0;
    });
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Columns& column) {
        const int a = thread % m, b = thread / m;
        A[b * row + a] = column.y[c];
      });
      in_parallel([&](int thread, Columns&) {
        const int i = thread % m, b = thread / m;
        if (i >= n) return;
        double sum = 0;
        for (int a = 0; a < m; ++a) sum += I[a * i_row + i] * A[b * row + a];
        B[b * row + i] = sum;
      });
      in_parallel.without_barrier([&](int thread, Columns& column) {  // it reads B, the next phase writes A
        const int i = thread % m, j = thread / m;
        if (i >= n || j >= n) return;
        double sum = 0;
        for (int b = 0; b < m; ++b) sum += I[b * i_row + j] * B[b * row + i];
        for (int k = 0; k < n; ++k) column.node[k] += I[c * i_row + k] * sum;
      });
    }
    in_parallel.without_barrier([&](int thread, Columns& column) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) = column.node[k];
    });
  }
};

/// Rung 5. New: rows in scratch have an odd length, so that threads on different rows use different memory banks.
template <int order>
struct Rung5 : Rung4<order, true> {
  static constexpr const char* idea = "rows in scratch are padded against bank conflicts";
};

}  // namespace miniapp::tensor::bp3_0
