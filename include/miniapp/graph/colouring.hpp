// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "miniapp/core/csr.hpp"

namespace miniapp::graph {

/// Which of the admissible colours a set gets.
enum class Choice {
  first_fit,   ///< the lowest: few colours
  least_used,  ///< the one with the fewest sets so far: colours of similar size, the paper's choice for launches
};

/// Row c holds the sets of colour c in ascending order. No two sets of a colour share a target.
using Colouring = Csr<Index, Index>;

/// Greedy colouring of sets in the order given; each set is a row of the targets that it writes (Algorithm 3.2 of the
/// paper). O(targets * colours / 64).
Colouring colour(const Csr<>& sets, std::size_t to_size, Choice choice);

/// The targets of each element of a map.
Csr<> target_sets(const Map& map);

}  // namespace miniapp::graph
