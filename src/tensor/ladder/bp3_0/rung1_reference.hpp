// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp3_0 {

/// Stiffness and mass at the Gauss points, v = I^T (D^T G D + lambda W) I u, rung 1: one team per element.
/// One thread per point (c, b, a).
/// The reference: only I and D are in scratch, intermediates lie in main memory.
///   u, v          (e, k, j, i)             nodal values, i fastest; v is overwritten
///   factors       (e, component, c, b, a)  G as rr, rs, rt, ss, st, tt [m], W [m^3] at the Gauss points
///   intermediate  (e, A or R or S or T, c, b, a)
/// Scratch: I and D. Barriers: 8. Orders up to 8, where m^3 threads are a team.
/// Source: the 3-D thread structure of Remacle et al., 2016, from Swirydowicz et al., IJHPCA 2019, section 6.
template <int order, bool cubes_in_scratch = false>
struct Rung1 {
  static constexpr const char* idea =
      "reference: one thread per point, only I and D in scratch, intermediates in main memory";
  static constexpr int n = order + 1, m = order + 2, points = m * m * m, threads = points;
  static constexpr int registers = 64;  ///< most registers of a thread
  static constexpr int intermediate_words = 4 * points;
  static constexpr int scratch_bytes = (m * n + m * m) * sizeof(double);
  /// I and D are written once; each product reads an entry of them.
  static constexpr int scratch_traffic = 8 * (m * n + m * m + 2 * n * m * (n * n + n * m + m * m) + 6 * m * m * m * m);

  using Input = ConstInput;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first_node = e * (n * n * n), first_point = e * points;
    double* const I = static_cast<double*>(team.scratch());
    double* const D = I + m * n;
    double* const A = cubes_in_scratch ? D + m * m : &g.intermediate(4 * first_point);
    double* const R = A + points;
    double* const S = R + points;
    double* const T = S + points;
    TeamThreads<Nothing, threads> in_parallel(team);
    in_parallel([&](int thread, Nothing&) {
      load_matrix<m, n, n, threads>(thread, g.I, I);
      load_matrix<m, m, m, threads>(thread, g.D, D);
    });
    in_parallel([&](int thread, Nothing&) {
      const int a = thread % m, j = thread / m % m, k = thread / (m * m);
      if (j >= n || k >= n) return;
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += I[a * n + i] * g.u(first_node + (k * n + j) * n + i);
      A[thread] = sum;
    });
    in_parallel([&](int thread, Nothing&) {
      const int a = thread % m, b = thread / m % m, k = thread / (m * m);
      if (k >= n) return;
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += I[b * n + j] * A[(k * m + j) * m + a];
      R[thread] = sum;
    });
    in_parallel([&](int thread, Nothing&) {
      const int a = thread % m, b = thread / m % m, c = thread / (m * m);
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += I[c * n + k] * R[(k * m + b) * m + a];
      A[thread] = sum;
    });
    in_parallel([&](int thread, Nothing&) {
      const int a = thread % m, b = thread / m % m, c = thread / (m * m);
      const auto G = [&](int component) { return g.factors(7 * first_point + component * points + thread); };
      double r = 0, s = 0, t = 0;
      for (int x = 0; x < m; ++x) {
        r += D[a * m + x] * A[(c * m + b) * m + x];
        s += D[b * m + x] * A[(c * m + x) * m + a];
        t += D[c * m + x] * A[(x * m + b) * m + a];
      }
      R[thread] = G(0) * r + G(1) * s + G(2) * t;
      S[thread] = G(1) * r + G(3) * s + G(4) * t;
      T[thread] = G(2) * r + G(4) * s + G(5) * t;
    });
    in_parallel([&](int thread, Nothing&) {
      const int a = thread % m, b = thread / m % m, c = thread / (m * m);
      double sum = g.lambda * g.factors(7 * first_point + 6 * points + thread) * A[thread];
      for (int x = 0; x < m; ++x) {
        sum += D[x * m + a] * R[(c * m + b) * m + x];
        sum += D[x * m + b] * S[(c * m + x) * m + a];
        sum += D[x * m + c] * T[(x * m + b) * m + a];
      }
      A[thread] = sum;
    });
    in_parallel([&](int thread, Nothing&) {
      const int a = thread % m, b = thread / m % m, k = thread / (m * m);
      if (k >= n) return;
      double sum = 0;
      for (int c = 0; c < m; ++c) sum += I[c * n + k] * A[(c * m + b) * m + a];
      R[thread] = sum;
    });
    in_parallel([&](int thread, Nothing&) {
      const int a = thread % m, j = thread / m % m, k = thread / (m * m);
      if (j >= n || k >= n) return;
      double sum = 0;
      for (int b = 0; b < m; ++b) sum += I[b * n + j] * R[(k * m + b) * m + a];
      A[thread] = sum;
    });
    in_parallel.without_barrier([&](int thread, Nothing&) {
      const int i = thread % m, j = thread / m % m, k = thread / (m * m);
      if (i >= n || j >= n || k >= n) return;
      double sum = 0;
      for (int a = 0; a < m; ++a) sum += I[a * n + i] * A[(k * m + j) * m + a];
      g.v(first_node + (k * n + j) * n + i) = sum;
    });
  }
};

/// Rung 2. New: intermediates are cubes in scratch. Scratch: I, D and four cubes of m^3.
template <int order>
struct Rung2 : Rung1<order, true> {
  static constexpr const char* idea = "intermediates are cubes in scratch";
  static constexpr int n = order + 1, m = order + 2;
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (m * n + m * m + 4 * m * m * m) * sizeof(double);
  /// I and D are written once; each product reads an entry of them and, except those of u, one of a cube; sums are
  /// written, and x is read for the mass.
  static constexpr int scratch_traffic = 8 * (m * n + m * m + n * m * (3 * n * n + 4 * n * m + 4 * m * m) +
                                              12 * m * m * m * m + 2 * n * m * (n + m) + 6 * m * m * m);
};

}  // namespace miniapp::tensor::bp3_0
