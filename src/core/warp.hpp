// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

/// Lanes of a warp, what a thread moves at once, and matrix instructions. Which devices have these: core/device.hpp.
namespace miniapp {

/// Lane 4 g + t of a warp: row g and pair of columns 2 t, 2 t + 1 of a tile of 8 x 8, as matrix instructions have them.
struct TileLane {
  int g, t;
  KOKKOS_FORCEINLINE_FUNCTION explicit TileLane(int lane) : g(lane / 4), t(lane % 4) {}
};

/// Two neighbours in memory, moved at once.
template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T first, second;
  KOKKOS_FORCEINLINE_FUNCTION const T& operator[](int i) const { return i == 0 ? first : second; }
};
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> load_pair(const T* from) {
  return *reinterpret_cast<const Pair<T>*>(from);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_pair(T* to, T first, T second) {
  *reinterpret_cast<Pair<T>*>(to) = {first, second};
}

/// D = A B + D on FP64 tensor cores, by all lanes of a warp: D and A are 16 x 8, B is 8 x 8. Lane 4 g + t holds
///   a = A(g, t), A(g + 8, t), A(g, t + 4), A(g + 8, t + 4)      b = B(t, g), B(t + 4, g)
///   d0, d1 = D(g, 2 t), D(g, 2 t + 1)                           d2, d3 = D(g + 8, 2 t), D(g + 8, 2 t + 1)
/// so that the four lanes of a g share a row of D:
///              columns of D
///              0 1   2 3   4 5   6 7
///   row 0, 8   lane 0  1     2     3
///   row 1, 9   lane 4  5     6     7
///   ..
///   row 7, 15  lane 28 29    30    31
/// Does nothing without tensor cores. Source: PTX ISA, mma.m16n8k8 with .f64.
KOKKOS_FORCEINLINE_FUNCTION void multiply_on_cores([[maybe_unused]] double& d0, [[maybe_unused]] double& d1,
                                                   [[maybe_unused]] double& d2, [[maybe_unused]] double& d3,
                                                   [[maybe_unused]] const double (&a)[4],
                                                   [[maybe_unused]] const double (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+d"(d0), "+d"(d1), "+d"(d2), "+d"(d3)
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#endif
}

}  // namespace miniapp
