// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"

namespace miniapp::multigrid {

/// Products of the modes S (node, mode) with `count` lines of m = n + 2 numbers, in place; the lines are `next` apart.
/// Several lines share what is loaded of S.
template <int n, class Number>
struct SchwarzLines {
  static constexpr int m = n + 2;

  /// S^T u; with inner_only the ends of u are taken as zero.
  template <int stride, int count, bool inner_only = false>
  KOKKOS_FORCEINLINE_FUNCTION static void to_modes(const Number* S, Number* line, int next = 1) {
    constexpr int first = inner_only ? 1 : 0, last = inner_only ? n : n + 1;
    Number u[count][m];
    MINIAPP_UNROLL
    for (int i = first; i <= last; ++i) {
      MINIAPP_UNROLL
      for (int c = 0; c < count; ++c) u[c][i] = line[c * next + i * stride];
    }
    for (int a = 0; a < m; ++a) {
      Number sum[count];
      MINIAPP_UNROLL
      for (int i = first; i <= last; ++i) {
        const Number s = S[i * m + a];
        MINIAPP_UNROLL
        for (int c = 0; c < count; ++c) sum[c] = i == first ? s * u[c][i] : sum[c] + s * u[c][i];
      }
      MINIAPP_UNROLL
      for (int c = 0; c < count; ++c) line[c * next + a * stride] = sum[c];
    }
  }

  /// The inner numbers of S u; those at the ends stay.
  template <int stride, int count>
  KOKKOS_FORCEINLINE_FUNCTION static void to_nodes(const Number* S, Number* line, int next = 1) {
    Number u[count][m];
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) {
      MINIAPP_UNROLL
      for (int c = 0; c < count; ++c) u[c][a] = line[c * next + a * stride];
    }
    for (int i = 1; i <= n; ++i) {
      Number sum[count];
      MINIAPP_UNROLL
      for (int a = 0; a < m; ++a) {
        const Number s = S[i * m + a];
        MINIAPP_UNROLL
        for (int c = 0; c < count; ++c) sum[c] = a == 0 ? s * u[c][a] : sum[c] + s * u[c][a];
      }
      MINIAPP_UNROLL
      for (int c = 0; c < count; ++c) line[c * next + i * stride] = sum[c];
    }
  }
};

}  // namespace miniapp::multigrid
