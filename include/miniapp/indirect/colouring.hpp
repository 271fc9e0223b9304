// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/core/map.hpp"

namespace miniapp::indirect {

/// What each of some sets writes: set s writes targets[offsets[s] .. offsets[s+1]).
struct TargetSets {
  std::vector<std::int64_t> offsets;
  std::vector<Index> targets;
  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

/// Which of the allowed colours a set takes.
enum class Choice {
  first_fit,   ///< the lowest: few colours
  least_used,  ///< the one with fewest sets so far: colours of like sizes, the paper's for launches
};

/// Sets by colour: those of colour c are order[offsets[c] .. offsets[c+1]), in ascending order. No two of a colour
/// share a target.
struct Colouring {
  std::vector<Index> offsets, order;
  int colours() const { return static_cast<int>(offsets.size()) - 1; }
};

/// Greedy colouring in the order of the sets (Algorithm 3.2 of the paper). O(targets * colours / 64).
Colouring colour(const TargetSets& sets, std::size_t to_size, Choice choice);

/// The elements of a map as sets.
TargetSets target_sets(const Map& map);

}  // namespace miniapp::indirect
