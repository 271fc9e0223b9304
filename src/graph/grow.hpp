// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/links.hpp"
#include "miniapp/graph/blocks.hpp"

namespace miniapp::graph {

/// Blocks of block_size items that share links: items_to_links and links_to_items are each other's transpose.
///   label  (item) its id in the result
/// See grow_blocks for the rule.
Blocks grow(const Links& items_to_links, const Links& links_to_items, const std::vector<Index>& label, int block_size);

}  // namespace miniapp::graph
