// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/offsets.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp::space {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

template <class T>
KOKKOS_INLINE_FUNCTION void lower(T* at, T value) {
  if constexpr (has_one_thread) {
    if (value < *at) *at = value;
  } else {
    Kokkos::atomic_fetch_min(at, value);
  }
}

template <class T>
KOKKOS_INLINE_FUNCTION void raise(T* at, T value) {
  if constexpr (has_one_thread) {
    if (value > *at) *at = value;
  } else {
    Kokkos::atomic_fetch_max(at, value);
  }
}

/// Stores the number of a node to numbers (key), ~number where on_surface (key), and marks it in is_masked (number);
/// both are empty where nothing is masked.
template <class T, class OnSurface>
KOKKOS_INLINE_FUNCTION void set_number(const Vector<T>& numbers, const OnSurface& on_surface,
                                       const Vector<char>& is_masked, Index key, Index number) {
  const bool masked = on_surface.extent(0) > 0 && on_surface(key);
  numbers(key) = static_cast<T>(masked ? ~number : number);
  if (masked) is_masked(number) = 1;
}

/// The places where `marks` is not zero, ascending.
std::vector<Index> list_marked(const Vector<const char>& marks);

}  // namespace miniapp::space
