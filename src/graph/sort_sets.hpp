// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/map.hpp"
#include "miniapp/graph/blocks.hpp"

namespace miniapp::graph {

/// Elements in the lexicographic order of the sorted new places of their targets; equal ones keep their order.
///   place  (target) new place
std::vector<Index> sort_elements(const Map& map, const std::vector<Index>& place);

/// Places of targets by (number of blocks that write them, list of these blocks, order in which blocks meet them):
/// algorithm 3 of the paper. What several blocks share comes together, since a half used line counts there twice.
std::vector<Index> sort_targets(const Map& map, std::size_t to_size, const Blocks& blocks);

/// Places of targets in the order in which the elements `order` meet them; what no element names comes last.
std::vector<Index> first_touch(const Map& map, const std::vector<Index>& order, std::size_t to_size);

}  // namespace miniapp::graph
