// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor::bp3_5 {

/// Stiffness and mass at the nodes, v = D^T G D u + lambda W u, rung 2: one team per element.
/// One thread per node (k, j, i).
/// New: u and the fluxes G D u are cubes in scratch.
///   u, v     (e, k, j, i)             nodal values, i fastest; v is overwritten
///   factors  (e, component, k, j, i)  G as rr, rs, rt, ss, st, tt [m], W [m^3] at the nodes
/// Scratch: D and four cubes of n^3. Barriers: 2. Orders up to 9, where n^3 threads are a team.
/// Source: the 3-D thread structure of Remacle et al., 2016, from Swirydowicz et al., IJHPCA 2019, section 6.
template <int order>
struct Rung2 {
  static constexpr const char* idea = "u and its fluxes are cubes in scratch";
  static constexpr int n = order + 1, nodes = n * n * n, threads = nodes;
  static constexpr int registers = 64;  ///< most registers of a thread
  static constexpr int intermediate_words = 0;
  static constexpr int scratch_bytes = (n * n + 4 * nodes) * sizeof(double);
  /// D is written once; each product reads an entry of D and one of a cube; cubes are written, and u is read for the
  /// mass.
  static constexpr int scratch_traffic = 8 * (n * n + nodes * (12 * n + 5));

  using Input = PlainInput;
  RungArrays<Input> g;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t e = team.league_rank(), first = e * nodes;
    double* const D = static_cast<double*>(team.scratch());
    double* const U = D + n * n;
    double* const R = U + nodes;
    double* const S = R + nodes;
    double* const T = S + nodes;
    TeamThreads<Nothing, threads> in_parallel(team);
    in_parallel([&](int node, Nothing&) {
      load_matrix<n, n, n, threads>(node, g.D, D);
      U[node] = g.u(first + node);
    });
    in_parallel([&](int node, Nothing&) {
      const int i = node % n, j = node / n % n, k = node / (n * n);
      double r = 0, s = 0, t = 0;
      for (int x = 0; x < n; ++x) {
        r += D[i * n + x] * U[(k * n + j) * n + x];
        s += D[j * n + x] * U[(k * n + x) * n + i];
        t += D[k * n + x] * U[(x * n + j) * n + i];
      }
      const auto G = [&](int component) { return g.factors(7 * first + component * nodes + node); };
      R[node] = G(0) * r + G(1) * s + G(2) * t;
      S[node] = G(1) * r + G(3) * s + G(4) * t;
      T[node] = G(2) * r + G(4) * s + G(5) * t;
    });
    in_parallel.without_barrier([&](int node, Nothing&) {
      const int i = node % n, j = node / n % n, k = node / (n * n);
      double sum = g.lambda * g.factors(7 * first + 6 * nodes + node) * U[node];
      for (int x = 0; x < n; ++x) {
        sum += D[x * n + i] * R[(k * n + j) * n + x];
        sum += D[x * n + j] * S[(k * n + x) * n + i];
        sum += D[x * n + k] * T[(x * n + j) * n + i];
      }
      g.v(first + node) = sum;
    });
  }
};

}  // namespace miniapp::tensor::bp3_5
