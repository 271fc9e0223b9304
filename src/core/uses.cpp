// SPDX-License-Identifier: BSD-3-Clause
#include "core/uses.hpp"

#include <limits>
#include <string>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp {
namespace {

using Positions = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// Sorts each row by insertion.
void sort_rows(const Vector<Index>& offsets, const Vector<Index>& positions) {
  Kokkos::parallel_for(
      "core/sort uses", Positions(0, static_cast<Index>(offsets.extent(0)) - 1), KOKKOS_LAMBDA(const Index target) {
        const Index begin = offsets(target);
        for (Index next = begin + 1; next < offsets(target + 1); ++next) {
          const Index position = positions(next);
          Index at = next;
          for (; at > begin && positions(at - 1) > position; --at) positions(at) = positions(at - 1);
          positions(at) = position;
        }
      });
}

}  // namespace

Uses find_uses(const Vector<const Index>& map, Index to_size) {
  require(map.extent(0) <= std::size_t(std::numeric_limits<Index>::max()), "map", "",
          std::to_string(map.extent(0)) + " entries; accepted are up to 2^31 - 1");
  const auto size = static_cast<Index>(map.extent(0));
  const Vector<Index> counts = make_zeros<Index>("core/counts", static_cast<std::size_t>(to_size));
  Kokkos::parallel_for(
      "core/count uses", Positions(0, size), KOKKOS_LAMBDA(const Index position) {
        if (map(position) >= 0) count_one(&counts(map(position)));
      });
  const Vector<Index> offsets = offsets_of(counts);
  const Vector<Index> positions = make_vector<Index>("core/positions", static_cast<std::size_t>(last_of(offsets)));
  fill(counts, 0);
  Kokkos::parallel_for(
      "core/place uses", Positions(0, size), KOKKOS_LAMBDA(const Index position) {
        const Index target = map(position);
        if (target >= 0) positions(offsets(target) + count_one(&counts(target))) = position;
      });
  if (!has_one_thread) sort_rows(offsets, positions);  // several threads take places in any order
  ExecutionSpace().fence();                            // `counts` are freed
  return {offsets, positions};
}

}  // namespace miniapp
