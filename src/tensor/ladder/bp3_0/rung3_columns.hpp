// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp3_0 {

/// Stiffness and mass at the Gauss points, v = I^T (D^T G D + lambda W) I u, rung 3: one team per element.
/// Interpolates x = I u, sums y = (D^T G D + lambda W) x and projects y, Gauss slice by Gauss slice.
/// New: one thread per column (j, i) of nodes or (b, a) of points; columns of u, x, y and v lie in main memory.
///   u, v          (e, k, j, i)             nodal values, i fastest; v is overwritten
///   factors       (e, component, c, b, a)  G as rr, rs, rt, ss, st, tt [m], W [m^3] at the Gauss points
///   intermediate  (e, x or y, c, b, a)
/// Scratch: I, D and three slices of m^2. Barriers: 6 m + 1.
/// Source: the 2-D thread structure and the ideas of Swirydowicz et al., IJHPCA 2019, section 6.
template <int order>
struct Rung3 {
  static constexpr const char* idea = "one thread per column, slice by slice in scratch; columns in main memory";
  static constexpr int n = order + 1, m = order + 2, points = m * m * m, threads = m * m;
  static constexpr int registers = order < 13 ? 128 : 168;  ///< most registers of a thread
  static constexpr int i_row = n, row = m;                  ///< lengths of rows of I, of D and of slices
  static constexpr int intermediate_words = 2 * points;
  static constexpr int scratch_bytes = (m * i_row + 4 * m * row) * sizeof(double);
  /// I and D are written once; per slice, each product reads an entry of them and, except along t, one of a slice; sums
  /// are written.
  static constexpr int scratch_traffic =
      8 *
      (m * n + m * m +
       m * (2 * n * (n * n + n * m + m * m) + 2 * n * m * (n + m) + n * n + 2 * n * m + 4 * m * m + 10 * m * m * m));

  using Input = ConstInput;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first_node = e * (n * n * n), first_point = e * points;
    double* const I = static_cast<double*>(team.scratch());
    double* const D = I + m * i_row;
    double* const A = D + m * row;
    double* const B = A + m * row;
    double* const C = B + m * row;
    TeamThreads<Nothing, threads> in_parallel(team);
    in_parallel([&](int thread, Nothing&) {
      load_matrix<m, n, i_row, threads>(thread, g.I, I);
      load_matrix<m, m, row, threads>(thread, g.D, D);
      double* const y = &g.intermediate(2 * first_point + points + thread);
      for (int c = 0; c < m; ++c) y[c * m * m] = 0;
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) = 0;
    });
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Nothing&) {
        const int i = thread % m, j = thread / m;
        if (i >= n || j >= n) return;
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += I[c * i_row + k] * g.u(first_node + (k * n + j) * n + i);
        A[j * row + i] = sum;
      });
      in_parallel([&](int thread, Nothing&) {
        const int i = thread % m, b = thread / m;
        if (i >= n) return;
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += I[b * i_row + j] * A[j * row + i];
        B[b * row + i] = sum;
      });
      in_parallel.without_barrier([&](int thread, Nothing&) {  // it reads B, the next phase writes A
        const int a = thread % m, b = thread / m;
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += I[a * i_row + i] * B[b * row + i];
        g.intermediate(2 * first_point + c * m * m + thread) = sum;
      });
    }
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Nothing&) {
        const int a = thread % m, b = thread / m;
        A[b * row + a] = g.intermediate(2 * first_point + c * m * m + thread);
      });
      in_parallel([&](int thread, Nothing&) {
        const int a = thread % m, b = thread / m;
        const double* const x = &g.intermediate(2 * first_point + thread);
        double* const y = &g.intermediate(2 * first_point + points + thread);
        const auto G = [&](int component) { return g.factors(7 * first_point + (component * m + c) * m * m + thread); };
        double r = 0, s = 0, t = 0;
        for (int z = 0; z < m; ++z) r += D[a * row + z] * A[b * row + z];
        for (int z = 0; z < m; ++z) s += D[b * row + z] * A[z * row + a];
        for (int z = 0; z < m; ++z) t += D[c * row + z] * x[z * m * m];
        B[b * row + a] = G(0) * r + G(1) * s + G(2) * t;
        C[b * row + a] = G(1) * r + G(3) * s + G(4) * t;
        const double T = G(2) * r + G(4) * s + G(5) * t;
        for (int z = 0; z < m; ++z) y[z * m * m] += D[c * row + z] * T;
        y[c * m * m] += g.lambda * G(6) * x[c * m * m];
      });
      in_parallel.without_barrier([&](int thread, Nothing&) {  // it reads B and C, the next phase writes A
        const int a = thread % m, b = thread / m;
        double sum = 0;
        for (int z = 0; z < m; ++z) sum += D[z * row + a] * B[b * row + z];
        for (int z = 0; z < m; ++z) sum += D[z * row + b] * C[z * row + a];
        g.intermediate(2 * first_point + points + c * m * m + thread) += sum;
      });
    }
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Nothing&) {
        const int a = thread % m, b = thread / m;
        A[b * row + a] = g.intermediate(2 * first_point + points + c * m * m + thread);
      });
      in_parallel([&](int thread, Nothing&) {
        const int i = thread % m, b = thread / m;
        if (i >= n) return;
        double sum = 0;
        for (int a = 0; a < m; ++a) sum += I[a * i_row + i] * A[b * row + a];
        B[b * row + i] = sum;
      });
      in_parallel.without_barrier([&](int thread, Nothing&) {  // it reads B, the next phase writes A
        const int i = thread % m, j = thread / m;
        if (i >= n || j >= n) return;
        double sum = 0;
        for (int b = 0; b < m; ++b) sum += I[b * i_row + j] * B[b * row + i];
        for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) += I[c * i_row + k] * sum;
      });
    }
  }
};

}  // namespace miniapp::tensor::bp3_0
