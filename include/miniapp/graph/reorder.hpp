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

/// Orders of the two sets of a map: elements and the targets that they name.
enum class Reorder {
  none,    ///< both sets as they are, blocks of consecutive elements
  rcm,     ///< targets by reverse Cuthill-McKee, elements sorted by their targets, blocks of consecutive elements
  gps,     ///< the same with targets by Gibbs, Poole and Stockmeyer, who level the mesh from two far ends
  metis,   ///< blocks of elements by METIS k-way, targets sorted by the blocks that write them: the paper's partition
  blocks,  ///< the same with blocks grown by our own partitioner, in a fraction of METIS's time
  bisection,  ///< blocks by recursive bisection of points, cut where fewest connections are: on the device
              ///< (bisection.hpp)
};

constexpr auto names(Reorder) { return std::array{"none", "rcm", "gps", "metis", "blocks", "bisection"}; }
/// Empty where this build can make the order; else why not.
std::string why_not(Reorder reorder);

/// Elements in blocks, places of targets.
struct Ordering {
  Blocks from;            ///< entries: (new position) old element
  std::vector<Index> to;  ///< (old target) its new place
};

/// Orders the elements and the targets of a map. Targets that no element names come first by metis and blocks.
/// `points` (target): bisection alone needs them.
/// Errors: `reorder` that why_not names, and those of grow_blocks and bisect_elements (InputError).
Ordering make_ordering(const Map& map, std::size_t to_size, Reorder reorder, int block_size,
                       const std::vector<Point>& points = {});

/// The same for blocks that own targets (Strategy::owner): `block_size` targets each, which come one after the other in
/// their new places. `blocks` grows blocks of targets, `bisection` cuts
/// them, `metis` takes targets in the order in which METIS's blocks of
/// elements meet them; elements are sorted by their targets.
Ordering make_owner_ordering(const Map& map, std::size_t to_size, Reorder reorder, int block_size,
                             const std::vector<Point>& points = {});

}  // namespace miniapp::graph
