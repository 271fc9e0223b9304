// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/map.hpp"
#include "miniapp/graph/blocks.hpp"

namespace miniapp::graph {

/// Elements in the lexicographic order of the sorted new indices of their targets; the sort is stable.
///   place  (target) new index
std::vector<Index> sort_elements(const Map& map, const std::vector<Index>& place);

/// New indices of targets, sorted by (number of blocks that write them, list of these blocks, order in which blocks
/// refer to them): algorithm 3 of the paper. Targets shared by several blocks become contiguous, since each of these
/// blocks loads their cache lines.
std::vector<Index> sort_targets(const Map& map, std::size_t to_size, const Blocks& blocks);

/// New indices of targets in the order in which the elements `order` refer to them; unreferenced targets come last.
std::vector<Index> first_touch(const Map& map, const std::vector<Index>& order, std::size_t to_size);

}  // namespace miniapp::graph
