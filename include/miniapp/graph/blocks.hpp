// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "miniapp/core/csr.hpp"

namespace miniapp::graph {

/// A set cut into blocks, each for one team or one cache: block b holds the ids of row b. All rows together are a
/// permutation of the set, the order in which blocks visit it.
using Blocks = Csr<Index, Index>;

/// Blocks of consecutive ids, block_size each but the last. Error: block_size below 1 (InputError), here and below.
Blocks consecutive_blocks(std::size_t set_size, int block_size);

/// Blocks of from-elements that share targets, from the connectivity alone: each block grows by the element that brings
/// the fewest targets that the block does not have yet, the one reached first among equals, and starts beside the
/// blocks before it. All blocks have block_size elements but the last. O(entries), serial; beside the map it holds at
/// most 12 bytes per entry, 13 per element and 16 per target. Negative entries are ignored.
/// Errors: an entry not below to_size, 2^32 - 1 entries or more (InputError).
Blocks grow_blocks(const Map& map, std::size_t to_size, int block_size);

/// Blocks of targets that elements connect, by the same rule seen from the other side: each block grows by the target
/// that brings the fewest elements that do not touch the block yet. For strategies in which a block owns its targets.
Blocks grow_target_blocks(const Map& map, std::size_t to_size, int block_size);

/// Blocks of from-elements by METIS k-way on the graph of elements that share targets, as the paper makes them: parts
/// of floor(block_size / 1.03) elements on average, what the tolerance leaves to block_size, a larger part cut evenly.
/// Errors: a build without METIS, a graph beyond METIS's integers (InputError); METIS fails (ResultError).
/// Source: Sulyok et al., Improving locality of unstructured mesh algorithms on GPUs, section 2.3.2.
Blocks metis_blocks(const Map& map, std::size_t to_size, int block_size);

/// How often a block uses a target that it loads, on average: entries of the map / sum over blocks of the distinct
/// targets of their elements. 0 of an empty map.
double reuse_factor(const Map& map, const Blocks& blocks);

/// How often an element is computed where blocks own targets and each computes all elements that touch them: sum over
/// blocks of the elements with a target in the block / number of elements. 0 of an empty map.
double redundancy(const Map& map, std::size_t to_size, const Blocks& target_blocks);

}  // namespace miniapp::graph
