// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/csr.hpp"

namespace miniapp::graph {

/// The neighbours of each vertex, each once, without the vertex itself.
using Graph = Csr<>;

/// The graph of targets that share an element.
Graph targets_that_share(const Map& map, std::size_t to_size);

/// New places by reverse Cuthill-McKee: each connected piece breadth first from one of its ends, neighbours by
/// ascending degree, all reversed. O(neighbours log degree), times the few sweeps that look for the end.
/// Source: George, Liu, Computer solution of large sparse positive definite systems, 1981, chapter 4.
std::vector<Index> reverse_cuthill_mckee(const Graph& graph);

/// New places by Gibbs, Poole and Stockmeyer: distances from the two ends of a pseudo-diameter are combined into levels
/// of small width, which are numbered one after the other. Differences from the paper: of the last level at most five
/// vertices, those of the lowest degrees, are tried as ends, so that large meshes take a few sweeps; the numbering is
/// always reversed, where the paper reverses it or not by which end and which widths were chosen.
/// Source: Gibbs, Poole, Stockmeyer, SIAM J. Numer. Anal. 13 (1976) 236-250.
std::vector<Index> gibbs_poole_stockmeyer(const Graph& graph);

}  // namespace miniapp::graph
