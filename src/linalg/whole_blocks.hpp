// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"

namespace miniapp::linalg {

/// Whether a row of a sparse matrix consists of rows of dense blocks, and has the columns of the first row of its
/// block.
KOKKOS_FORCEINLINE_FUNCTION bool has_whole_blocks(const Index* offsets, const Index* columns, int block_rows,
                                                  int block_columns, Index row) {
  const Index begin = offsets[row], count = offsets[row + 1] - begin;
  const Index first = row - row % block_rows, begin_of_first = offsets[first];
  if (count % block_columns != 0 || count != offsets[first + 1] - begin_of_first) return false;
  for (Index e = 0; e < count; e += block_columns) {
    const Index column = columns[begin + e];
    if (column % block_columns != 0 || column != columns[begin_of_first + e]) return false;
    for (int c = 1; c < block_columns; ++c)
      if (columns[begin + e + c] != column + c) return false;
  }
  return true;
}

}  // namespace miniapp::linalg
