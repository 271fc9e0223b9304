// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "graph/renumber.hpp"

namespace miniapp::graph {

/// The breadth-first levels of a connected piece from one vertex.
struct Levels {
  std::vector<Index> order;  ///< vertices, level after level
  Index depth = 0;           ///< number of levels
  Index width = 0;           ///< vertices of the largest level
  std::vector<Index> last;   ///< vertices of the last level, by ascending degree
};

/// Writes level[v] = distance from `root` for the vertices of its piece; the sweep follows only vertices whose `level`
/// is -1.
inline Levels sweep(const Graph& graph, Index root, std::vector<Index>& level) {
  Levels result;
  result.order = {root};
  level[root] = 0;
  std::size_t begin = 0;
  while (begin < result.order.size()) {
    const std::size_t end = result.order.size();
    result.width = std::max(result.width, static_cast<Index>(end - begin));
    result.last.assign(result.order.begin() + begin, result.order.end());
    for (; begin < end; ++begin) {
      const Index v = result.order[begin];
      for (const Index w : graph[v])
        if (level[w] < 0) {
          level[w] = result.depth + 1;
          result.order.push_back(w);
        }
    }
    ++result.depth;
  }
  std::stable_sort(result.last.begin(), result.last.end(),
                   [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
  return result;
}

/// Resets the vertices for another sweep.
inline void forget(const Levels& levels, std::vector<Index>& level) {
  for (const Index v : levels.order) level[v] = -1;
}

/// The ends of a pseudo-diameter: the start has the most levels of all vertices tried; the end is the vertex with the
/// narrowest levels among at most five of lowest degree in the last level.
struct Ends {
  Index start, end;
};
inline Ends find_ends(const Graph& graph, Index root, std::vector<Index>& level) {
  constexpr std::size_t most_tried = 5;
  Levels from_start = sweep(graph, root, level);
  forget(from_start, level);
  for (Index start = root;;) {
    Ends ends{start, start};
    Index narrowest = -1;
    bool deeper = false;
    for (std::size_t i = 0; i < std::min(most_tried, from_start.last.size()) && !deeper; ++i) {
      const Index tried = from_start.last[i];
      Levels levels = sweep(graph, tried, level);
      forget(levels, level);
      deeper = levels.depth > from_start.depth;
      if (deeper) {
        start = tried;
        from_start = std::move(levels);
      } else if (narrowest < 0 || levels.width < narrowest) {
        narrowest = levels.width;
        ends.end = tried;
      }
    }
    if (!deeper) return ends;
  }
}

}  // namespace miniapp::graph
