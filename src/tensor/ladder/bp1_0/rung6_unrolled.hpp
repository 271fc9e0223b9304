// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp1_0 {

/// Mass operator v = I^T W I u, rung 6: one team per element, threads (j, i) on horizontal slices. Gauss slice c is
/// interpolated along t, s and r, scaled and projected back.
/// A thread keeps its columns of u and v in registers.
/// New: all loops are unrolled, including the one over slices.
///   u, v     (e, k, j, i)  nodal values, i fastest; v is overwritten
///   factors  (e, c, b, a)  W = w det J at the Gauss points [m^3]
/// Scratch: I and two slices of m^2. Barriers: 4 m + 1.
/// Source: Swirydowicz et al., IJHPCA 2019, BP1.0 kernel 6.
template <int order>
struct Rung6 {
  static constexpr const char* idea = "all loops are unrolled";
  static constexpr int n = order + 1, m = order + 2, threads = m * m;
  static constexpr int registers = order < 12 ? 104 : 96;   ///< most registers of a thread
  static constexpr int i_row = padded(n), row = padded(m);  ///< lengths of rows of I and of slices
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (m * i_row + 2 * m * row) * sizeof(double);
  /// I is written once; per slice, each product reads I and, except along t, one entry of a slice; sums are written.
  static constexpr int scratch_traffic =
      8 * (m * n + m * (2 * n * (n * n + n * m + m * m) + 2 * n * m * (n + m) + n * n + 2 * n * m + m * m));

  struct Columns {
    double u[n], v[n];
  };
  using Input = ConstInput;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first_node = e * (n * n * n), first_point = e * (m * m * m);
    double* const I = static_cast<double*>(team.scratch());
    double *const A = I + m * i_row, *const B = A + m * row;
    TeamThreads<Columns, threads> in_parallel(team);
    in_parallel([&](int thread, Columns& column) {
      load_matrix<m, n, i_row, threads>(thread, g.I, I);
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      MINIAPP_UNROLL_ON_DEVICE
      for (int k = 0; k < n; ++k) column.u[k] = g.u(first_node + (k * n + j) * n + i);
      MINIAPP_UNROLL_ON_DEVICE
      for (int k = 0; k < n; ++k) column.v[k] = 0;
    });
    MINIAPP_UNROLL_ON_DEVICE
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Columns& column) {
        const int i = thread % m, j = thread / m;
        if (i >= n || j >= n) return;
        double sum = 0;
        MINIAPP_UNROLL_ON_DEVICE
        for (int k = 0; k < n; ++k) sum += I[c * i_row + k] * column.u[k];
        A[j * row + i] = sum;
      });
      in_parallel([&](int thread, Columns&) {
        const int i = thread % m, b = thread / m;
        if (i >= n) return;
        double sum = 0;
        MINIAPP_UNROLL_ON_DEVICE
        for (int j = 0; j < n; ++j) sum += I[b * i_row + j] * A[j * row + i];
        B[b * row + i] = sum;
      });
      in_parallel([&](int thread, Columns&) {
        const int a = thread % m, b = thread / m;
        double sum = 0;
        MINIAPP_UNROLL_ON_DEVICE
        for (int i = 0; i < n; ++i) sum += I[a * i_row + i] * B[b * row + i];
        A[b * row + a] = g.factors(first_point + (c * m + b) * m + a) * sum;
      });
      in_parallel([&](int thread, Columns&) {
        const int i = thread % m, b = thread / m;
        if (i >= n) return;
        double sum = 0;
        MINIAPP_UNROLL_ON_DEVICE
        for (int a = 0; a < m; ++a) sum += I[a * i_row + i] * A[b * row + a];
        B[b * row + i] = sum;
      });
      in_parallel.without_barrier([&](int thread, Columns& column) {  // it reads B, the next phase writes A
        const int i = thread % m, j = thread / m;
        if (i >= n || j >= n) return;
        double sum = 0;
        MINIAPP_UNROLL_ON_DEVICE
        for (int b = 0; b < m; ++b) sum += I[b * i_row + j] * B[b * row + i];
        MINIAPP_UNROLL_ON_DEVICE
        for (int k = 0; k < n; ++k) column.v[k] += I[c * i_row + k] * sum;
      });
    }
    in_parallel.without_barrier([&](int thread, Columns& column) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      MINIAPP_UNROLL_ON_DEVICE
      for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) = column.v[k];
    });
  }
};

}  // namespace miniapp::tensor::bp1_0
