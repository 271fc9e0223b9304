// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Templates that a client compiles look for NaN and infinity: without them a solver takes a NaN for a small residual.
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "miniapp needs NaN and infinity: compile without -ffast-math, or add -fno-finite-math-only behind it"
#endif

#include <Kokkos_Core.hpp>

/// Names that differ between Kokkos versions 3.4 to 5.x. No other file of the project tests the version.

/// Kokkos 4.x configurations name an integer KOKKOS_VERSION as well (30401, 40703, 50202).
namespace miniapp {
#if KOKKOS_VERSION >= 30700
namespace km = Kokkos;  // math functions for kernels: km::sqrt, km::fabs
#else
namespace km = Kokkos::Experimental;
#endif

/// Host memory that kernels of the default device write.
#if defined(KOKKOS_ENABLE_CUDA)
using PinnedSpace = Kokkos::CudaHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
using PinnedSpace = Kokkos::HIPHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_HIP)
using PinnedSpace = Kokkos::Experimental::HIPHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif
}  // namespace miniapp

/// Unrolls the following loop: arrays stay in registers only if all indices are compile-time constants.
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define MINIAPP_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define MINIAPP_UNROLL  // nvcc's host pass has no such pragma
#else
#define MINIAPP_UNROLL _Pragma("GCC unroll 32")
#endif

/// Asserts that the iterations of the following loop are independent, so that the compiler vectorises it.
#if defined(__clang__)
#define MINIAPP_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define MINIAPP_INDEPENDENT _Pragma("GCC ivdep")
#else
#define MINIAPP_INDEPENDENT
#endif

/// Defined where kernels run on the host's processors: code for vector registers is compiled, code for warps is not.
#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
#define MINIAPP_RUNS_ON_HOST
#endif
