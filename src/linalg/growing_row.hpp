// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp::linalg {

/// A row that one thread grows in place, its columns ascending, in arrays with room enough.
struct GrowingRow {
  Index* columns;
  double* values;
  int size = 0;

  KOKKOS_FORCEINLINE_FUNCTION void add(Index column, double value) {
    int at = size;
    while (at > 0 && columns[at - 1] > column) --at;
    if (at > 0 && columns[at - 1] == column) {
      values[at - 1] += value;
      return;
    }
    for (int e = size++; e > at; --e) {
      columns[e] = columns[e - 1];
      values[e] = values[e - 1];
    }
    columns[at] = column;
    values[at] = value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void remove(int at) {
    --size;
    for (int e = at; e < size; ++e) {
      columns[e] = columns[e + 1];
      values[e] = values[e + 1];
    }
  }
};

}  // namespace miniapp::linalg
