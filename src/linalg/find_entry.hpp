// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"

namespace miniapp::linalg {

/// The place of the first entry of a row whose column is not below `column`, by bisection, or offsets[row + 1].
KOKKOS_FORCEINLINE_FUNCTION Index first_not_below(const Index* offsets, const Index* columns, Index row, Index column) {
  Index low = offsets[row], high = offsets[row + 1];
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (columns[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace miniapp::linalg
