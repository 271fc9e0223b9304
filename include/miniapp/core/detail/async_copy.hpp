// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

/// Asynchronous copies from memory to a team's scratch. A thread that loads and then stores stalls on every load; a
/// thread that issues asynchronous copies stalls once. Devices without them copy synchronously.
namespace miniapp {

/// Copies one value of 4, 8 or 16 bytes, aligned to its size; copies of 16 bytes bypass the L1 cache. The value is
/// visible to the team after wait_for_copies() and a barrier.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void copy_async(T* scratch, const T* memory) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto place = static_cast<unsigned>(__cvta_generic_to_shared(scratch));
  if constexpr (sizeof(T) == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(memory) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(memory), "n"(sizeof(T)) : "memory");
#else
  *scratch = *memory;
#endif
}

/// Waits for all copies issued by this thread.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Ends a group of copies: those issued by this thread since the last group.
KOKKOS_FORCEINLINE_FUNCTION void commit_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for all groups of copies of this thread except the latest `pending`.
template <int pending>
KOKKOS_FORCEINLINE_FUNCTION void wait_for_groups() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

/// Bulk stores from a team's scratch by the copy engine of NVIDIA's sm_90 and newer, concurrent with the loads and
/// stores of the threads. On other devices the thread itself stores. Before a store, every thread that wrote to scratch
/// calls show_to_copy_engine(), and the team passes a barrier.
KOKKOS_FORCEINLINE_FUNCTION void show_to_copy_engine() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Stores `count` numbers, a multiple of 16 bytes; source and destination are aligned to 16 bytes.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_async(T* memory, const T* scratch, int count) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(memory),
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(scratch))), "r"(count * static_cast<int>(sizeof(T)))
               : "memory");
#else
  for (int i = 0; i < count; ++i) memory[i] = scratch[i];
#endif
}

/// Waits until the stores that this thread issued have been read from scratch.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_stores() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}

/// Prefetches the cache line at `address`.
KOKKOS_FORCEINLINE_FUNCTION void prefetch([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

}  // namespace miniapp
