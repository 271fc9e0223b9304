// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/warp.hpp"
#include "miniapp/core/device.hpp"
#include "tensor/lines/line_nodes.hpp"

namespace miniapp::tensor {

/// Products of 8 x 8 matrices in double precision by a warp. Lane 4 g + t holds the entries (g, 2 t) and (g, 2 t + 1)
/// of each matrix, but (2 t, g) and (2 t + 1, g) of the right factor. So a product can directly be the left factor of
/// the next one. With FP64 tensor cores (sm_90 and newer) one instruction computes two products.
struct WarpTile {
  /// c = a B + c for two left factors.
  KOKKOS_FORCEINLINE_FUNCTION static void multiply([[maybe_unused]] const Pair<double> (&a)[2],
                                                   [[maybe_unused]] const Pair<double>& B,
                                                   [[maybe_unused]] Pair<double> (&c)[2]) {
#if defined(__CUDA_ARCH__)
    if constexpr (has_double_cores) {
      // The instruction's column t of the left factor is our 2 t, its column t + 4 our 2 t + 1; rows of B likewise.
      const double left[4] = {a[0].first, a[1].first, a[0].second, a[1].second}, right[2] = {B.first, B.second};
      multiply_on_cores(c[0].first, c[0].second, c[1].first, c[1].second, left, right);
    } else {
      const int lane = threadIdx.x % 32, row = lane - lane % 4, column = 8 * (lane % 4);
      for (int k = 0; k < 4; ++k) {
        const double b00 = from(B.first, column + k), b10 = from(B.second, column + k);
        const double b01 = from(B.first, column + 4 + k), b11 = from(B.second, column + 4 + k);
        for (int i = 0; i < 2; ++i) {
          const double first = from(a[i].first, row + k), second = from(a[i].second, row + k);
          c[i].first += first * b00 + second * b10;
          c[i].second += first * b01 + second * b11;
        }
      }
    }
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  KOKKOS_FORCEINLINE_FUNCTION static double from(double value, int lane) {
    return __shfl_sync(0xffffffffu, value, lane);
  }
#endif
};

}  // namespace miniapp::tensor
