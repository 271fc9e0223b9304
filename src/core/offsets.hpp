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

/// A functor, since the function below is in several translation units: for a lambda in it nvcc emits pointers in each
/// of them, and the linker mixes them up.
template <class Count>
struct SumCounts {
  Vector<Count> counts;
  Vector<std::int32_t> offsets;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int32_t& sum, bool last) const {
    sum += counts(i);
    if (last) offsets(i + 1) = sum;
  }
};

/// offsets(i + 1) = counts(0) + .. + counts(i), offsets(0) = 0.
template <class Count>
Vector<std::int32_t> offsets_of(const Vector<Count>& counts) {
  const Vector<std::int32_t> offsets = make_vector<std::int32_t>("offsets", counts.extent(0) + 1);
  Kokkos::deep_copy(slice(offsets, 0, 1), 0);
  Kokkos::parallel_scan("core/offsets", Kokkos::RangePolicy<ExecutionSpace>(0, counts.extent(0)),
                        SumCounts<Count>{counts, offsets});
  return offsets;
}

/// The last entry of a device array, on the host.
template <class T>
T last_of(const Vector<T>& vector) {
  T value{};
  Kokkos::deep_copy(value, Kokkos::subview(vector, vector.extent(0) - 1));
  return value;
}

}  // namespace miniapp
