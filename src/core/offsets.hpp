// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "miniapp/core/execution.hpp"

namespace miniapp {

/// Adds 1 to a counter and returns what was there.
KOKKOS_INLINE_FUNCTION std::int32_t count_one(std::int32_t* at) {
  if constexpr (has_one_thread)
    return (*at)++;
  else
    return Kokkos::atomic_fetch_add(at, 1);
}

/// offsets(i + 1) = counts(0) + .. + counts(i), offsets(0) = 0, in the order of the default
/// instance, without waiting. Count: std::int32_t or char.
template <class Count>
Vector<std::int32_t> offsets_of(const Vector<Count>& counts);

/// The last entry of a device array, on the host.
template <class T>
T last_of(const Vector<T>& vector) {
  T value{};
  detail::copy_bytes_to_host(&value, vector.data() + vector.extent(0) - 1, sizeof(T));
  return value;
}

}  // namespace miniapp
