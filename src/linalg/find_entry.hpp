// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"

namespace miniapp::linalg {

/// The first place from `low` on, but not `high`, of ascending values where they are not below `value`, by bisection,
/// or `high`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Index first_not_below(const T* values, Index low, Index high, T value) {
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (values[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The place of the first entry of a row whose column is not below `column`, or offsets[row + 1].
KOKKOS_FORCEINLINE_FUNCTION Index first_not_below(const Index* offsets, const Index* columns, Index row, Index column) {
  return first_not_below(columns, offsets[row], offsets[row + 1], column);
}

}  // namespace miniapp::linalg
