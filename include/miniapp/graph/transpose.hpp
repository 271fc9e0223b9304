// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/core/csr.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp::graph {

/// Row t holds the positions of the entries of `map` that refer to target t, in ascending order; masked entries are
/// omitted. O(entries).
Csr<std::int64_t> transpose(const Map& map, std::size_t to_size);

/// The inverse of a permutation: inverse(order)[order[i]] = i.
std::vector<Index> inverse(const std::vector<Index>& order);

/// The map between renumbered sets: result(i, s) = to_place[map(from_order[i], s)]; a negative entry stays negative.
Map permute(const Map& map, const std::vector<Index>& from_order, const std::vector<Index>& to_place);

/// How often a map refers to each of the targets [begin, end).
std::vector<Index> count_uses(const Map& map, std::size_t begin, std::size_t end);

}  // namespace miniapp::graph
