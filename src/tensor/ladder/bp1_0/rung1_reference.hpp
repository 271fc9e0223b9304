// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp1_0 {

/// Mass operator v = I^T W I u, rung 1: one team per element, threads (j, i) on horizontal slices. Gauss slice c is
/// interpolated along t, s and r, scaled and projected back.
/// The reference: only I is in scratch, intermediates lie in main memory.
///   u, v          (e, k, j, i)     nodal values, i fastest; v is overwritten
///   factors       (e, c, b, a)     W = w det J at the Gauss points [m^3]
///   intermediate  (e, A or B, c, b, a)
/// Scratch: I. Barriers: 4 m + 1.
/// Source: Swirydowicz et al., IJHPCA 2019, BP1.0 kernel 1.
template <int order, bool slices_in_scratch = false>
struct Rung1 {
  static constexpr const char* idea =
      "reference: one thread per column, slice by slice, only I in scratch, intermediates in main memory";
  static constexpr int n = order + 1, m = order + 2, threads = m * m;
  static constexpr int registers = order < 12 ? 104 : 96;  ///< most registers of a thread
  static constexpr int i_row = n, row = m;                 ///< lengths of rows of I and of slices
  static constexpr int intermediate_words = 2 * m * m * m;
  static constexpr int scratch_bytes = m * i_row * sizeof(double);
  /// I is written once; per slice, each product reads an entry of I.
  static constexpr int scratch_traffic = 8 * (m * n + m * 2 * n * (n * n + n * m + m * m));

  using Input = PlainInput;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first_node = e * (n * n * n), first_point = e * (m * m * m);
    double* const I = static_cast<double*>(team.scratch());
    double *A = I + m * i_row, *B = A + m * row;  // slices, where they are in scratch
    TeamThreads<Nothing, threads> in_parallel(team);
    in_parallel([&](int thread, Nothing&) {
      load_matrix<m, n, i_row, threads>(thread, g.I, I);
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) = 0;
    });
    for (int c = 0; c < m; ++c) {
      if constexpr (!slices_in_scratch) {
        A = &g.intermediate(2 * first_point + c * m * row);
        B = A + m * m * row;
      }
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
      in_parallel([&](int thread, Nothing&) {
        const int a = thread % m, b = thread / m;
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += I[a * i_row + i] * B[b * row + i];
        A[b * row + a] = g.factors(first_point + (c * m + b) * m + a) * sum;
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

/// Rung 2. New: intermediates are two slices in scratch.
/// Scratch: I and two slices of m^2. Source: BP1.0 kernel 2.
template <int order>
struct Rung2 : Rung1<order, true> {
  static constexpr const char* idea = "intermediates are two slices in scratch";
  static constexpr int n = order + 1, m = order + 2;
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (m * n + 2 * m * m) * sizeof(double);
  /// I is written once; per slice, each product reads I and, except along t, one entry of a slice; sums are written.
  static constexpr int scratch_traffic =
      8 * (m * n + m * (2 * n * (n * n + n * m + m * m) + 2 * n * m * (n + m) + n * n + 2 * n * m + m * m));
};

}  // namespace miniapp::tensor::bp1_0
