// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/graph/reorder.hpp"

/// Orderings of the two sets of a loop, computed on the device: blocks by recursive bisection.
namespace miniapp::graph {

/// A map on the device whose arity is known at run time.
struct DeviceMap {
  Vector<Index> entries;  ///< (element * arity + slot): target, in [0, to_size)
  int arity = 0;
  std::size_t to_size = 0;
  std::size_t from_size() const { return arity > 0 ? entries.extent(0) / arity : 0; }
};

/// Errors: InputError where an entry points outside the to-set.
DeviceMap copy_to_device(const Map& map, std::size_t to_size);

/// The ordering of a loop (Ordering) on the device.
struct DeviceOrdering {
  Vector<Index> from;  ///< (new position): old element
  Vector<Index> to;    ///< (old target): its new index
};

/// A host copy, with blocks of `block_size` consecutive elements.
Ordering copy_to_host(const DeviceOrdering& ordering, int block_size);

/// Points of the to-set on the device: what bisection cuts.
using Points = Kokkos::View<float* [3], Kokkos::LayoutRight, MemorySpace>;
Points copy_to_device(const std::vector<Point>& points);

/// Orderings such that blocks of consecutive targets or elements, of `block_size` each except the last, are compact
/// pieces of the mesh. A piece is halved, in whole blocks, by the plane through its median point, normal to one of
/// several directions (two axes and two diagonals of a plane mesh, three axes otherwise): the one that cuts the fewest
/// connections. Counting connections makes it robust to stretched cells. O(n log(n / block_size)) after one sort per
/// direction, all in parallel. Source: Berger, Bokhari, IEEE Trans. Computers 36 (1987) 570-580, with the choice of
/// the direction by cuts added.
///
/// For blocks that own targets: bisects the targets; elements are sorted by their lowest target in the new order, then
/// by the second lowest, then by number. `points` (target). Errors, here and below: InputError unless there are to_size
/// points and block_size is at least 1.
DeviceOrdering bisect_targets(const DeviceMap& map, const Points& points, int block_size);

/// For blocks of elements: bisects the elements by the mean point of their targets; targets are numbered in the order
/// in which elements refer to them, unreferenced ones last.
DeviceOrdering bisect_elements(const DeviceMap& map, const Points& points, int block_size);

/// The map between renumbered sets (transpose.hpp).
DeviceMap permute(const DeviceMap& map, const DeviceOrdering& ordering);

}  // namespace miniapp::graph
