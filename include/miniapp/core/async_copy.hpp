// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

/// Copies from memory to a team's scratch that do not wait: a thread that stores what it loaded stalls for every
/// load, one that asks for copies stalls once. Devices without them copy at once.
namespace miniapp {

/// Copies one value of 4, 8 or 16 bytes, aligned to its size. It has arrived after wait_for_copies() and a barrier.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void copy_async(T* scratch, const T* memory) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(scratch))),
      "l"(memory), "n"(sizeof(T))
      : "memory");
#else
  *scratch = *memory;
#endif
}

/// Waits for the copies that this thread asked for.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Ends a group of copies: those that this thread asked for since the last group.
KOKKOS_FORCEINLINE_FUNCTION void commit_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for this thread's groups of copies but for the `pending` latest.
template <int pending>
KOKKOS_FORCEINLINE_FUNCTION void wait_for_groups() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

/// Says that the line at `address` will be read soon.
KOKKOS_FORCEINLINE_FUNCTION void prefetch([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

}  // namespace miniapp
