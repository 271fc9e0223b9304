// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/graph/reorder.hpp"

/// Orders of the two sets of a loop, made where loops run: blocks of targets by recursive bisection.
namespace miniapp::graph {

/// A map on the device whose arity is known when it runs.
struct DeviceMap {
  Vector<Index> entries;  ///< (element * arity + slot): target, in [0, to_size)
  int arity = 0;
  std::size_t to_size = 0;
  std::size_t from_size() const { return arity > 0 ? entries.extent(0) / arity : 0; }
};

/// Errors: InputError where an entry points outside the to-set.
DeviceMap copy_to_device(const Map& map, std::size_t to_size);

/// The order of a loop (Ordering) on the device.
struct DeviceOrdering {
  Vector<Index> from;  ///< (new position): old element
  Vector<Index> to;    ///< (old target): its new place
};

/// A copy on the host; elements in blocks of `block_size` consecutive ones.
Ordering copy_to_host(const DeviceOrdering& ordering, int block_size);

/// Points of the to-set on the device: what bisection cuts.
using Points = Kokkos::View<float* [3], Kokkos::LayoutRight, MemorySpace>;
Points copy_to_device(const std::vector<Point>& points);

/// Orders for blocks of consecutive targets or elements, `block_size` each but the last, that are compact pieces of the
/// mesh. A piece is halved, in whole blocks, across that one of some directions (two axes and two diagonals of a plane
/// mesh, three axes of another) along which the plane through its median point cuts the fewest connections: by
/// connectivity, so that stretched cells do not mislead it. O(n log(n / block_size)) after as many sorts as there are
/// directions, all in parallel. Source: Berger, Bokhari, IEEE Trans. Computers 36 (1987) 570-580, with the choice of
/// the direction by cuts added.
///
/// For blocks that own targets: those are bisected, elements are sorted by their lowest target in its new place, then
/// by the second lowest, then as numbered. `points` (target). Errors: InputError where there are other than to_size
/// points, or block_size is below 1; here and below.
DeviceOrdering bisect_targets(const DeviceMap& map, const Points& points, int block_size);

/// For blocks of elements: those are bisected, each at the mean point of its targets; targets come in the order in
/// which elements meet them, those that none names last.
DeviceOrdering bisect_elements(const DeviceMap& map, const Points& points, int block_size);

/// The map between renumbered sets (transpose.hpp).
DeviceMap permute(const DeviceMap& map, const DeviceOrdering& ordering);

}  // namespace miniapp::graph
