// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "miniapp/core/execution.hpp"

namespace miniapp {

/// A few numbers that a kernel returns to the host. With CUDA the host polls memory that both can access, since
/// a fence after the kernel takes a few microseconds longer; elsewhere the host waits for the kernel to end.
class Mailbox {
 public:
  static constexpr int most = 4;
  /// Where the kernel has to put() the numbers. Call before the launch.
  double* expect() {
    if (box_.extent(0) == 0) box_ = Box("core/mailbox", most);
#if defined(KOKKOS_ENABLE_CUDA)
    for (int i = 0; i < most; ++i) std::memcpy(box_.data() + i, &empty, sizeof empty);
#endif
    return box_.data();
  }

  /// Called by one thread, after all other writes that the host has to see.
  KOKKOS_FORCEINLINE_FUNCTION static void put(double* box, double number) {
    *static_cast<volatile double*>(box) = number;
#if defined(__CUDA_ARCH__)
    __threadfence_system();
#endif
  }

  /// Waits for number i from a kernel launched on `space`. Errors: std::runtime_error where the kernel ended without
  /// writing it.
  double take(const ExecutionSpace& space, int i = 0) const {
#if defined(KOKKOS_ENABLE_CUDA)
    constexpr int looks_between_questions = 1 << 14;
    const auto* const box = reinterpret_cast<const volatile std::uint64_t*>(box_.data() + i);
    std::uint64_t bits = *box;
    for (int looks = 1; bits == empty; ++looks, bits = *box)
      if (looks % looks_between_questions == 0) {
        const cudaError_t status = cudaStreamQuery(space.cuda_stream());
        if (status == cudaErrorNotReady) continue;
        if (status != cudaSuccess || *box == empty)
          throw std::runtime_error(std::string("a kernel left no result: ") + cudaGetErrorString(status));
      }
    double number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
#else
    space.fence();
    return box_(i);
#endif
  }

 private:
  using Box = Kokkos::View<double*, Kokkos::LayoutRight, PinnedSpace>;
  static constexpr std::uint64_t empty = 0x7ff4'6d61'696c'626f;  // a NaN that no arithmetic operation produces
  Box box_;
};

}  // namespace miniapp
