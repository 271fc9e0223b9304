// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/products.hpp"
#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp1_0 {

/// Mass operator v = I^T W I u, rung 7: one team per element, one thread per line, first along t, then s and r, and
/// back. All loops are unrolled.
/// New: the whole cube is in scratch, and a thread overwrites the line that it has read: barriers only between
/// directions.
///   u, v     (e, k, j, i)  nodal values, i fastest; v is overwritten
///   factors  (e, c, b, a)  W = w det J at the Gauss points [m^3]
/// Scratch: I and a cube of m^2 n, padded. Barriers: 5 between contractions, 1 for I.
/// Source: Swirydowicz et al., IJHPCA 2019, BP1.0 kernel 7.
template <int order, template <int, int, int> class Products = PlainProducts>
struct Rung7 {
  static constexpr const char* idea = "one thread per line, the whole cube in scratch: five barriers";
  static constexpr int n = order + 1, m = order + 2, threads = m * m;
  static constexpr int registers = order < 12 ? 104 : 96;  ///< most registers of a thread
  /// Lengths of rows of I, and of rows and planes of the cube.
  static constexpr int i_row = padded(n), row = padded(n), plane = m * row;
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (m * i_row + m * plane) * sizeof(double);
  /// I is written once; each product reads an entry of I; the cube is written and read four times.
  static constexpr int scratch_traffic = 8 * (m * n + 2 * n * m * (n * n + n * m + m * m) + 4 * n * m * (n + m));

  struct Line {
    double node[n], point[m];
  };
  using Input = ConstInput;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first_node = e * (n * n * n), first_point = e * (m * m * m);
    double *const I = static_cast<double*>(team.scratch()), *const A = I + m * i_row;
    TeamThreads<Line, threads> in_parallel(team);
    in_parallel([&](int thread, Line& line) {
      load_matrix<m, n, i_row, threads>(thread, g.I, I);
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      MINIAPP_UNROLL_ON_DEVICE
      for (int k = 0; k < n; ++k) line.node[k] = g.u(first_node + (k * n + j) * n + i);
    });
    in_parallel([&](int thread, Line& line) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      double point[m];
      Products<n, m, i_row>::interpolate(I, line.node, point);
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < m; ++c) A[c * plane + j * row + i] = point[c];
    });
    in_parallel([&](int thread, Line&) {
      const int i = thread % m, c = thread / m;
      if (i >= n) return;
      double node[n], point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int j = 0; j < n; ++j) node[j] = A[c * plane + j * row + i];
      Products<n, m, i_row>::interpolate(I, node, point);
      MINIAPP_UNROLL_ON_DEVICE
      for (int b = 0; b < m; ++b) A[c * plane + b * row + i] = point[b];
    });
    in_parallel([&](int thread, Line& line) {
      const int b = thread % m, c = thread / m;
      double node[n];
      MINIAPP_UNROLL_ON_DEVICE
      for (int i = 0; i < n; ++i) node[i] = A[c * plane + b * row + i];
      Products<n, m, i_row>::interpolate(I, node, line.point);
      MINIAPP_UNROLL_ON_DEVICE
      for (int a = 0; a < m; ++a) line.point[a] *= g.factors(first_point + (c * m + b) * m + a);
    });
    in_parallel([&](int thread, Line& line) {
      const int b = thread % m, c = thread / m;
      double node[n];
      Products<n, m, i_row>::project(I, line.point, node);
      MINIAPP_UNROLL_ON_DEVICE
      for (int i = 0; i < n; ++i) A[c * plane + b * row + i] = node[i];
    });
    in_parallel([&](int thread, Line&) {
      const int i = thread % m, c = thread / m;
      if (i >= n) return;
      double node[n], point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int b = 0; b < m; ++b) point[b] = A[c * plane + b * row + i];
      Products<n, m, i_row>::project(I, point, node);
      MINIAPP_UNROLL_ON_DEVICE
      for (int j = 0; j < n; ++j) A[c * plane + j * row + i] = node[j];
    });
    in_parallel.without_barrier([&](int thread, Line&) {
      const int i = thread % m, j = thread / m;
      if (i >= n || j >= n) return;
      double node[n], point[m];
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < m; ++c) point[c] = A[c * plane + j * row + i];
      Products<n, m, i_row>::project(I, point, node);
      MINIAPP_UNROLL_ON_DEVICE
      for (int k = 0; k < n; ++k) g.v(first_node + (k * n + j) * n + i) = node[k];
    });
  }
};

/// Rung 8. New: half of I is read, by its symmetry. Source: BP1.0 kernel 8.
template <int order>
struct Rung8 : Rung7<order, SymmetricProducts> {
  static constexpr const char* idea = "half of I is read, each entry used twice";
  static constexpr int n = order + 1, m = order + 2;
  /// I is written once; two products share an entry of I; the cube is written and read four times.
  static constexpr int scratch_traffic = 8 * (m * n + n * m * (n * n + n * m + m * m) + 4 * n * m * (n + m));
};

}  // namespace miniapp::tensor::bp1_0
