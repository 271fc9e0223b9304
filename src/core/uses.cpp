// SPDX-License-Identifier: BSD-3-Clause
#include "core/uses.hpp"

#include <limits>
#include <string>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp {
namespace {

using Positions = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

struct CountUses {
  const Index* map;
  Index* counts;
  KOKKOS_FUNCTION void operator()(const Index position) const {
    if (map[position] >= 0) count_one(counts + map[position]);
  }
};

/// Puts positions into the rows of their targets in any order; counts (target) are zero before.
struct PlaceUses {
  const Index *map, *offsets;
  Index *counts, *positions;
  KOKKOS_FUNCTION void operator()(const Index position) const {
    const Index target = map[position];
    if (target >= 0) positions[offsets[target] + count_one(counts + target)] = position;
  }
};

/// Sorts a row by insertion.
struct SortUses {
  const Index* offsets;
  Index* positions;
  KOKKOS_FUNCTION void operator()(const Index target) const {
    const Index begin = offsets[target];
    for (Index next = begin + 1; next < offsets[target + 1]; ++next) {
      const Index position = positions[next];
      Index at = next;
      for (; at > begin && positions[at - 1] > position; --at) positions[at] = positions[at - 1];
      positions[at] = position;
    }
  }
};

}  // namespace

Uses find_uses(const Vector<const Index>& map, Index to_size) {
  require(map.extent(0) <= std::size_t(std::numeric_limits<Index>::max()), "map", "",
          std::to_string(map.extent(0)) + " entries; accepted are up to 2^31 - 1");
  const auto size = static_cast<Index>(map.extent(0));
  const Vector<Index> counts = make_zeros<Index>("core/counts", static_cast<std::size_t>(to_size));
  Kokkos::parallel_for("core/count uses", Positions(0, size), CountUses{map.data(), counts.data()});
  Uses uses{offsets_of(counts), {}};
  uses.positions = make_vector<Index>("core/positions", static_cast<std::size_t>(last_of(uses.offsets)));
  Kokkos::deep_copy(counts, 0);
  Kokkos::parallel_for("core/place uses", Positions(0, size),
                       PlaceUses{map.data(), uses.offsets.data(), counts.data(), uses.positions.data()});
  if constexpr (!has_one_thread)
    Kokkos::parallel_for("core/sort uses", Positions(0, to_size), SortUses{uses.offsets.data(), uses.positions.data()});
  ExecutionSpace().fence();  // `counts` are freed
  return uses;
}

}  // namespace miniapp
