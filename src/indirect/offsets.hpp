// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/map.hpp"

namespace miniapp::indirect {

/// offsets(i + 1) = counts(0) + .. + counts(i).
inline Vector<mesh::Index> offsets_of(const Vector<mesh::Index>& counts) {
  const Vector<mesh::Index> offsets = make_zeros<mesh::Index>("offsets", counts.extent(0) + 1);
  Kokkos::parallel_scan(
      "indirect/offsets", Kokkos::RangePolicy<ExecutionSpace>(0, counts.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, mesh::Index & sum, bool last) {
        sum += counts(i);
        if (last) offsets(i + 1) = sum;
      });
  return offsets;
}

}  // namespace miniapp::indirect
