// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/csr.hpp"

namespace miniapp::graph {

/// The neighbours of each vertex, each once, without the vertex itself.
using Graph = Csr<>;

/// The graph of targets that share an element.
Graph targets_that_share(const Map& map, std::size_t to_size);

/// New indices by reverse Cuthill-McKee: each connected piece breadth first from a pseudo-peripheral vertex, neighbours
/// by ascending degree, the whole order reversed. O(neighbours log degree), plus a few sweeps to find the start.
/// Source: George, Liu, Computer solution of large sparse positive definite systems, 1981, chapter 4.
std::vector<Index> reverse_cuthill_mckee(const Graph& graph);

/// New indices by Gibbs, Poole and Stockmeyer: the levels from the two ends of a pseudo-diameter are combined into
/// levels of small width, which are numbered one after the other. Differences from the paper: at most five vertices of
/// the last level, those of lowest degree, are tried as ends, so that large meshes need only a few sweeps; the
/// numbering is always reversed, whereas in the paper this depends on the end and the widths chosen.
/// Source: Gibbs, Poole, Stockmeyer, SIAM J. Numer. Anal. 13 (1976) 236-250.
std::vector<Index> gibbs_poole_stockmeyer(const Graph& graph);

}  // namespace miniapp::graph
