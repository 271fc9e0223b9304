// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "miniapp/core/kokkos.hpp"

/// What kernels may rely on at the device that the program was built for. No other header asks for these.
namespace miniapp {

/// True where kernels run on the host's processors (Serial, OpenMP): they work on vector registers, not on warps.
#ifdef MINIAPP_RUNS_ON_HOST
inline constexpr bool runs_on_host = true;
#else
inline constexpr bool runs_on_host = false;
#endif

/// Whether loops run in one thread, so that nothing need be atomic.
#ifdef KOKKOS_ENABLE_SERIAL
inline constexpr bool has_one_thread = std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::Serial>;
#else
inline constexpr bool has_one_thread = false;
#endif

/// Whether teams consist of warps of 32 threads that code may rely on.
#ifdef KOKKOS_ENABLE_CUDA
inline constexpr bool has_warps = true;
#else
inline constexpr bool has_warps = false;
#endif

/// Whether the device has a copy engine for stores from scratch: NVIDIA's of sm_90 and newer.
#if defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)
inline constexpr bool has_copy_engine = true;
#else
inline constexpr bool has_copy_engine = false;
#endif

/// True for NVIDIA's devices of sm_90 and newer: teams can form clusters that share a barrier, and a kernel may start
/// while the one before it ends.
inline constexpr bool has_clusters = has_copy_engine;

/// Whether the device has FP64 tensor cores with instructions for tiles of 16 x 8, and kernels may use them.
#ifdef MINIAPP_NO_TENSOR_CORES
inline constexpr bool has_double_cores = false;
#else
inline constexpr bool has_double_cores = has_copy_engine;
#endif

/// The most threads that a team can have on a GPU.
inline constexpr int max_threads = 1024;

/// The scratch on the chip that Kokkos gives a team at most [bytes]: of the 48 KiB that it asks CUDA for, on hosts of
/// 32 KiB; a little of it is its own.
inline constexpr std::size_t kokkos_scratch_bytes = (runs_on_host ? 31 : 47) * std::size_t(1024);

/// The scratch level that holds `bytes` per team: 0, on the chip; 1, in main memory behind the caches, beyond.
KOKKOS_INLINE_FUNCTION constexpr int scratch_level(std::size_t bytes) { return bytes <= kokkos_scratch_bytes ? 0 : 1; }

/// The most scratch that a team of run-time shape can have [bytes]: all that a multiprocessor gives one team, or what
/// Kokkos keeps on the chip of a GPU, whose size hosts keep to as well.
inline std::size_t most_scratch_bytes() {
#ifdef KOKKOS_ENABLE_CUDA
  return Kokkos::DefaultExecutionSpace().cuda_device_prop().sharedMemPerBlockOptin;
#else
  return std::size_t(47) * 1024;
#endif
}

/// What decides which kernel is fast: "sm_90", "host512" (bits of a register); empty where there is no device. It
/// needs no session.
std::string device_class();

}  // namespace miniapp
