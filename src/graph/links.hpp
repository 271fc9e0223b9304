// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/core/csr.hpp"
#include "miniapp/core/large_pages.hpp"

namespace miniapp::graph {

/// Ids of elements or targets, and positions of entries. 32 bits, since the arrays are accessed randomly and half the
/// bytes need half the cache.
using Id = std::uint32_t;
inline constexpr Id no_id = ~Id(0);

/// For each member of one set, its links to members of another.
using Links = Csr<Id, Id>;

/// The elements that refer to each target, in ascending order, repeated for repeated references. Targets of more than
/// `most` elements get an empty row. Negative entries are ignored. Errors: see grow_blocks (InputError).
Links elements_of_targets(const Map& map, std::size_t to_size, Id most = no_id);

/// A map and its transpose with both sets renumbered breadth first, so that linked items are close in memory.
struct Bipartite {
  Links targets_of, elements_of;         ///< in the new numbers; a link is in both or in neither
  std::vector<Index> elements, targets;  ///< (new number) old one
};

/// Renumbers breadth first over the targets, from the first target of each connected piece on. O(entries). Targets of
/// more than 256 elements lose their links: every block has them anyway, and to follow them would be quadratic.
Bipartite breadth_first(const Map& map, std::size_t to_size);

}  // namespace miniapp::graph
