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

/// The places where `marks` is not zero, ascending.
std::vector<Index> list_marked(const Vector<const char>& marks);

}  // namespace miniapp::space
