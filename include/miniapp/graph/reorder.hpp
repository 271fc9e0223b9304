// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "miniapp/core/names.hpp"
#include "miniapp/graph/blocks.hpp"

namespace miniapp::graph {

using miniapp::name;

/// Coordinates of a target, as mesh::Point.
using Point = std::array<double, 3>;

/// Orderings of the two sets of a map: elements, and the targets that they refer to.
enum class Reorder {
  none,    ///< both sets as they are, blocks of consecutive elements
  rcm,     ///< targets by reverse Cuthill-McKee, elements sorted by their targets, blocks of consecutive elements
  gps,     ///< elements sorted likewise, with targets by Gibbs, Poole and Stockmeyer, with level sets from two distant
           ///< ends
  metis,   ///< blocks of elements by METIS k-way, targets sorted by the blocks that write them: the paper's partition
  blocks,  ///< blocks as of METIS, but grown by our own partitioner, in a fraction of METIS's time
  bisection,  ///< blocks by recursive bisection of points where the fewest connections are cut: on the device
              ///< (bisection.hpp)
};

constexpr auto names(Reorder) { return std::array{"none", "rcm", "gps", "metis", "blocks", "bisection"}; }
/// Empty if this build supports the ordering; else why not.
std::string why_not(Reorder reorder);

/// Blocks of elements, and the new indices of targets.
struct Ordering {
  Blocks from;            ///< entries: (new position) old element
  std::vector<Index> to;  ///< (old target): its new index
};

/// Orders the elements and the targets of a map. With metis and blocks, targets that no element refers to come first.
/// `points` (target) are needed by bisection only. Errors: a `reorder` that why_not() rejects, and those of grow_blocks
/// and bisect_elements (InputError).
Ordering make_ordering(const Map& map, std::size_t to_size, Reorder reorder, int block_size,
                       const std::vector<Point>& points = {});

/// An ordering for blocks that own targets (Strategy::owner): `block_size` consecutive targets each in the new order.
/// `blocks` grows blocks of targets, `bisection` bisects them, `metis` numbers targets in the order in which METIS's
/// blocks of elements refer to them; elements are sorted by their targets.
Ordering make_owner_ordering(const Map& map, std::size_t to_size, Reorder reorder, int block_size,
                             const std::vector<Point>& points = {});

}  // namespace miniapp::graph
