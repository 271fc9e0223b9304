// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "miniapp/core/csr.hpp"

namespace miniapp::graph {

/// A set partitioned into blocks, each for one team or one cache: block b holds the ids of row b. All rows together are
/// a permutation of the set, the order in which blocks visit it.
using Blocks = Csr<Index, Index>;

/// Blocks of consecutive ids, block_size each except the last. Errors, here and below: block_size below 1 (InputError).
Blocks consecutive_blocks(std::size_t set_size, int block_size);

/// Blocks of from-elements that share targets, from the connectivity alone: each block grows by the element that adds
/// the fewest new targets, ties broken by the order of discovery, and starts next to the previous blocks. All blocks
/// except the last have block_size elements. O(entries), serial; in addition to the map it uses at most 12 bytes per
/// entry, 13 per element and 16 per target. Negative entries are ignored.
/// Errors: an entry not below to_size, 2^32 - 1 entries or more (InputError).
Blocks grow_blocks(const Map& map, std::size_t to_size, int block_size);

/// Blocks of targets that elements connect, by the same rule with the roles exchanged: each block grows by the target
/// that adds the fewest new elements. For strategies in which a block owns its targets.
Blocks grow_target_blocks(const Map& map, std::size_t to_size, int block_size);

/// Blocks of from-elements by METIS k-way on the graph of elements that share targets, as in the paper: parts of
/// floor(block_size / 1.03) elements on average, since METIS's balance tolerance is 1.03; parts that are larger than
/// block_size are split evenly.
/// Errors: a build without METIS, a graph beyond METIS's integers (InputError); a failure of METIS (ResultError).
/// Source: Sulyok et al., Improving locality of unstructured mesh algorithms on GPUs, section 2.3.2.
Blocks metis_blocks(const Map& map, std::size_t to_size, int block_size);

/// Average number of uses of a target per load by a block: entries of the map / sum over blocks of the distinct targets
/// of their elements. 0 for an empty map.
double reuse_factor(const Map& map, const Blocks& blocks);

/// Average number of times an element is computed if blocks own targets and compute all elements that touch them: sum
/// over blocks of the elements with a target in the block / number of elements. 0 for an empty map.
double redundancy(const Map& map, std::size_t to_size, const Blocks& target_blocks);

}  // namespace miniapp::graph
