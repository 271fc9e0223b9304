// SPDX-License-Identifier: BSD-3-Clause
#include "graph/renumber.hpp"

#include <algorithm>

#include "graph/levels.hpp"
#include "graph/links.hpp"
#include "miniapp/graph/transpose.hpp"

namespace miniapp::graph {

Graph targets_that_share(const Map& map, std::size_t to_size) {
  const Links rows = elements_of_targets(map, to_size);
  Graph graph;
  graph.offsets.reserve(to_size + 1);
  std::vector<Index> seen_by(to_size, -1);
  for (std::size_t t = 0; t < to_size; ++t) {
    seen_by[t] = static_cast<Index>(t);
    for (const Id element : rows[t])
      for (int s = 0; s < map.arity; ++s) {
        const Index other = map[element][s];
        if (other < 0 || seen_by[other] == Index(t)) continue;
        seen_by[other] = static_cast<Index>(t);
        graph.entries.push_back(other);
      }
    graph.end_row();
  }
  return graph;
}

std::vector<Index> reverse_cuthill_mckee(const Graph& graph) {
  std::vector<Index> level(graph.size(), -1), order;
  std::vector<bool> placed(graph.size(), false);
  order.reserve(graph.size());
  std::vector<Index> next;
  for (Index root = 0; root < Index(graph.size()); ++root) {
    if (placed[root]) continue;
    std::size_t head = order.size();
    order.push_back(find_ends(graph, root, level).end);
    placed[order.back()] = true;
    for (; head < order.size(); ++head) {
      next.clear();
      for (const Index w : graph[order[head]])
        if (!placed[w]) {
          placed[w] = true;
          next.push_back(w);
        }
      std::stable_sort(next.begin(), next.end(), [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
      order.insert(order.end(), next.begin(), next.end());
    }
  }
  std::reverse(order.begin(), order.end());
  return inverse(order);
}

}  // namespace miniapp::graph
