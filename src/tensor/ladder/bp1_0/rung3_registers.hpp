// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp1_0 {

/// Mass operator v = I^T W I u, rung 3: one team per element, threads (j, i) on horizontal slices. Gauss slice c is
/// interpolated along t, s and r, scaled and projected back.
/// New: a thread keeps its columns of u and of v, which is accumulated slice by slice, in registers.
///   u, v     (e, k, j, i)  nodal values, i fastest; v is overwritten
///   factors  (e, c, b, a)  W = w det J at the Gauss points [m^3]
/// Scratch: I and two slices of m^2. Barriers: 4 m + 1.
/// Source: Swirydowicz et al., IJHPCA 2019, BP1.0 kernel 3 (which names the column of u).
template <int order, class Reads = PlainInput, bool pads = false>
struct Rung3 {
  static constexpr const char* idea = "each thread keeps its columns of u and v in registers";
  static constexpr int n = order + 1, m = order + 2, threads = m * m;
  static constexpr int registers = order < 12 ? 104 : 96;  ///< most registers of a thread
  /// Lengths of rows of I, and of rows of slices.
  static constexpr int i_row = pads ? padded(n) : n, row = pads ? padded(m) : m;
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (m * i_row + 2 * m * row) * sizeof(double);
  /// I is written once; per slice, each product reads I and, except along t, one entry of a slice; sums are written.
  static constexpr int scratch_traffic =
      8 * (m * n + m * (2 * n * (n * n + n * m + m * m) + 2 * n * m * (n + m) + n * n + 2 * n * m + m * m));

  struct Columns {
    double u[n], v[n];
  };
  using Input = Reads;
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
      for (int k = 0; k < n; ++k) column.u[k] = g.u(first_node + (k * n + j) * n + i);
      for (int k = 0; k < n; ++k) column.v[k] = 0;
    });
    for (int c = 0; c < m; ++c) {
      in_parallel([&](int thread, Columns& column) {
        const int i = thread % m, j = thread / m;
        if (i >= n || j >= n) return;
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += I[c * i_row + k] * column.u[k];
        A[j * row + i] = sum;
      });
      in_parallel([&](int thread, Columns&) {
        const int i = thread % m, b = thread / m;
        if (i >= n) return;
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += I[b * i_row + j] * A[j * row + i];
        B[b * row + i] = sum;
      });
      in_parallel([&](int thread, Columns&) {
        const int a = thread % m, b = thread / m;
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += I[a * i_row + i] * B[b * row + i];
        A[b * row + a] = g.factors(first_point + (c * m + b) * m + a) * sum;
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
        for (int k = 0; k < n; ++k) column.v[k] += I[c * i_row + k] * sum;
      });
    }
    in_parallel.without_barrier([&](int thread, Columns& column) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) = column.v[k];
    });
  }
};

/// Rung 4. New: inputs are declared as never written, so that a GPU reads them through its read-only data path.
/// Source: BP1.0 kernel 4.
template <int order>
struct Rung4 : Rung3<order, ConstInput> {
  static constexpr const char* idea = "inputs are declared as never written";
};

/// Rung 5. New: rows in scratch have an odd length, so that threads on different rows use different memory banks.
/// Source: BP1.0 kernel 5.
template <int order>
struct Rung5 : Rung3<order, ConstInput, true> {
  static constexpr const char* idea = "rows in scratch are padded against bank conflicts";
};

}  // namespace miniapp::tensor::bp1_0
