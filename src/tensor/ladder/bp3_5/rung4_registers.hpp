// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp3_5 {

/// Stiffness and mass at the nodes, v = D^T G D u + lambda W u, rung 4: one team per element.
/// One thread per column (j, i), which goes through the slices k.
/// New: the columns of u and v are in registers.
///   u, v     (e, k, j, i)             nodal values, i fastest; v is overwritten
///   factors  (e, component, k, j, i)  G as rr, rs, rt, ss, st, tt [m], W [m^3] at the nodes
/// Scratch: D and three slices of n^2. Barriers: 2 n + 1.
/// Source: the 2-D thread structure and the ideas of Swirydowicz et al., IJHPCA 2019, section 6.
template <int order, class Reads = PlainInput>
struct Rung4 {
  static constexpr const char* idea = "each thread keeps its columns of u and v in registers";
  static constexpr int n = order + 1, nodes = n * n * n, threads = n * n;
  static constexpr int registers = order < 13 ? 128 : 168;  ///< most registers of a thread
  static constexpr int row = n;                             ///< length of rows of D and of slices
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = 4 * n * row * sizeof(double);
  /// D is written once; per slice, each product reads D and, except along t, a slice; three slices are written.
  static constexpr int scratch_traffic = 8 * (n * n + n * (n * n * 10 * n + 3 * n * n));

  struct Columns {
    double u[n], v[n];
  };
  using Input = Reads;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first = e * nodes;
    double* const D = static_cast<double*>(team.scratch());
    double* const U = D + n * row;
    double* const R = U + n * row;
    double* const S = R + n * row;
    TeamThreads<Columns, threads> in_parallel(team);
    in_parallel([&](int thread, Columns& column) {
      load_matrix<n, n, row, threads>(thread, g.D, D);
      for (int k = 0; k < n; ++k) column.u[k] = g.u(first + k * n * n + thread);
      for (int k = 0; k < n; ++k) column.v[k] = 0;
    });
    for (int k = 0; k < n; ++k) {
      in_parallel([&](int thread, Columns& column) {
        const int i = thread % n, j = thread / n;
        U[j * row + i] = column.u[k];
      });
      in_parallel([&](int thread, Columns& column) {
        const int i = thread % n, j = thread / n;
        const auto G = [&](int component) { return g.factors(7 * first + (component * n + k) * n * n + thread); };
        double r = 0, s = 0, t = 0;
        for (int x = 0; x < n; ++x) r += D[i * row + x] * U[j * row + x];
        for (int x = 0; x < n; ++x) s += D[j * row + x] * U[x * row + i];
        for (int x = 0; x < n; ++x) t += D[k * row + x] * column.u[x];
        R[j * row + i] = G(0) * r + G(1) * s + G(2) * t;
        S[j * row + i] = G(1) * r + G(3) * s + G(4) * t;
        const double T = G(2) * r + G(4) * s + G(5) * t;
        for (int x = 0; x < n; ++x) column.v[x] += D[k * row + x] * T;
        column.v[k] += g.lambda * G(6) * column.u[k];
      });
      in_parallel.without_barrier([&](int thread, Columns& column) {  // it reads R and S, the next phase writes U
        const int i = thread % n, j = thread / n;
        double sum = 0;
        for (int x = 0; x < n; ++x) sum += D[x * row + i] * R[j * row + x];
        for (int x = 0; x < n; ++x) sum += D[x * row + j] * S[x * row + i];
        column.v[k] += sum;
      });
    }
    in_parallel.without_barrier([&](int thread, Columns& column) {
      for (int k = 0; k < n; ++k) g.v(first + k * n * n + thread) = column.v[k];
    });
  }
};

/// Rung 5. New: inputs are declared as never written, so that a GPU reads them through its read-only data path.
template <int order>
struct Rung5 : Rung4<order, ConstInput> {
  static constexpr const char* idea = "inputs are declared as never written";
};

}  // namespace miniapp::tensor::bp3_5
