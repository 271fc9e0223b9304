// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"

namespace miniapp::tensor {

/// Products of a thread's line with I (a, i), whose rows in scratch have i_row entries.
template <int n, int m, int i_row>
struct PlainProducts {
  /// point = I node.
  KOKKOS_FORCEINLINE_FUNCTION static void interpolate(const double* I, const double (&node)[n], double (&point)[m]) {
    MINIAPP_UNROLL_ON_DEVICE
    for (int a = 0; a < m; ++a) {
      point[a] = 0;
      MINIAPP_UNROLL_ON_DEVICE
      for (int i = 0; i < n; ++i) point[a] += I[a * i_row + i] * node[i];
    }
  }

  /// node = I^T point.
  KOKKOS_FORCEINLINE_FUNCTION static void project(const double* I, const double (&point)[m], double (&node)[n]) {
    MINIAPP_UNROLL_ON_DEVICE
    for (int i = 0; i < n; ++i) {
      node[i] = 0;
      MINIAPP_UNROLL_ON_DEVICE
      for (int a = 0; a < m; ++a) node[i] += I[a * i_row + i] * point[a];
    }
  }
};

/// The same products by I(a, i) = I(m-1-a, n-1-i): half of I is read, each entry into a register that is used twice.
template <int n, int m, int i_row>
struct SymmetricProducts {
  /// point = I node. Where m is odd, the middle row of I is its own mirror image, and n is even.
  KOKKOS_FORCEINLINE_FUNCTION static void interpolate(const double* I, const double (&node)[n], double (&point)[m]) {
    MINIAPP_UNROLL_ON_DEVICE
    for (int a = 0; a < (m + 1) / 2; ++a) {
      double first = 0, second = 0;
      MINIAPP_UNROLL_ON_DEVICE
      for (int i = 0; i < (2 * a + 1 == m ? n / 2 : n); ++i) {
        const double entry = I[a * i_row + i];
        first += entry * node[i];
        second += entry * node[n - 1 - i];
      }
      point[a] = 2 * a + 1 == m ? first + second : first;
      if (2 * a + 1 < m) point[m - 1 - a] = second;
    }
  }

  /// node = I^T point. Where n is odd, the middle column of I is its own mirror image, and m is even.
  KOKKOS_FORCEINLINE_FUNCTION static void project(const double* I, const double (&point)[m], double (&node)[n]) {
    MINIAPP_UNROLL_ON_DEVICE
    for (int i = 0; i < (n + 1) / 2; ++i) {
      double first = 0, second = 0;
      MINIAPP_UNROLL_ON_DEVICE
      for (int a = 0; a < (2 * i + 1 == n ? m / 2 : m); ++a) {
        const double entry = I[a * i_row + i];
        first += entry * point[a];
        second += entry * point[m - 1 - a];
      }
      node[i] = 2 * i + 1 == n ? first + second : first;
      if (2 * i + 1 < n) node[n - 1 - i] = second;
    }
  }
};

}  // namespace miniapp::tensor
