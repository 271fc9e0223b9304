// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/indirect/blocks.hpp"
#include "miniapp/mesh/map.hpp"

namespace miniapp::indirect {

/// Elements in the lexicographic order of the sorted new places of their targets; equal ones keep their order.
///   place  (target) new place
std::vector<mesh::Index> sort_elements(const mesh::Map& map, const std::vector<mesh::Index>& place);

/// Places of targets by (number of blocks that write them, list of these blocks, order in which blocks meet them):
/// algorithm 3 of the paper. What several blocks share comes together, since a half used line counts there twice.
std::vector<mesh::Index> sort_targets(const mesh::Map& map, std::size_t to_size, const Blocks& blocks);

/// Places of targets in the order in which the elements `order` meet them; what no element names comes last.
std::vector<mesh::Index> first_touch(const mesh::Map& map, const std::vector<mesh::Index>& order, std::size_t to_size);

}  // namespace miniapp::indirect
