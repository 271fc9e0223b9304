// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/core/map.hpp"

namespace miniapp::indirect {

/// Targets that share an element: neighbours[offsets[t] .. offsets[t+1]) of target t, each once, without t.
struct TargetGraph {
  std::vector<std::int64_t> offsets{0};
  std::vector<Index> neighbours;

  Index size() const { return static_cast<Index>(offsets.size() - 1); }
  std::int64_t degree(Index v) const { return offsets[v + 1] - offsets[v]; }
};
TargetGraph targets_that_share(const Map& map, std::size_t to_size);

/// New places by reverse Cuthill-McKee: each connected piece breadth first from one of its ends, neighbours by
/// ascending degree, all reversed. O(neighbours log degree), times the few sweeps that look for the end.
/// Source: George, Liu, Computer solution of large sparse positive definite systems, 1981, chapter 4.
std::vector<Index> reverse_cuthill_mckee(const TargetGraph& graph);

/// New places by Gibbs, Poole and Stockmeyer: distances from the two ends of a pseudo-diameter are combined into levels
/// of small width, which are numbered one after the other. Differences from the paper: of the last level at most five
/// vertices, those of the lowest degrees, are tried as ends, so that large meshes take a few sweeps; the numbering is
/// always reversed, where the paper reverses it or not by which end and which widths were chosen.
/// Source: Gibbs, Poole, Stockmeyer, SIAM J. Numer. Anal. 13 (1976) 236-250.
std::vector<Index> gibbs_poole_stockmeyer(const TargetGraph& graph);

}  // namespace miniapp::indirect
