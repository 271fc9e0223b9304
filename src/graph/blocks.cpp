// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/blocks.hpp"

#include <algorithm>
#include <numeric>

#include "graph/grow.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::graph {

namespace {

void require_size(int block_size) { require(block_size >= 1, "block_size", block_size, "accepted are 1 or more"); }

}  // namespace

Blocks consecutive_blocks(std::size_t set_size, int block_size) {
  require_size(block_size);
  Blocks blocks;
  blocks.entries.resize(set_size);
  std::iota(blocks.entries.begin(), blocks.entries.end(), 0);
  for (std::size_t end = 0; end < set_size;) {
    end = std::min(set_size, end + block_size);
    blocks.offsets.push_back(static_cast<Index>(end));
  }
  return blocks;
}

Blocks grow_blocks(const Map& map, std::size_t to_size, int block_size) {
  require_size(block_size);
  const Bipartite graph = breadth_first(map, to_size);
  return grow(graph.targets_of, graph.elements_of, graph.elements, block_size);
}

Blocks grow_target_blocks(const Map& map, std::size_t to_size, int block_size) {
  require_size(block_size);
  const Bipartite graph = breadth_first(map, to_size);
  return grow(graph.elements_of, graph.targets_of, graph.targets, block_size);
}

double reuse_factor(const Map& map, const Blocks& blocks) {
  if (map.entries.empty()) return 0;
  const Index last = *std::max_element(map.entries.begin(), map.entries.end());
  std::vector<Index> seen_by(std::size_t(std::max<Index>(last, 0)) + 1, -1);
  std::size_t entries = 0, distinct = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const Index element : blocks[b])
      for (int s = 0; s < map.arity; ++s) {
        const Index target = map[element][s];
        if (target < 0) continue;
        ++entries;
        distinct += seen_by[target] != Index(b);
        seen_by[target] = static_cast<Index>(b);
      }
  return distinct ? double(entries) / double(distinct) : 0;
}

double redundancy(const Map& map, std::size_t to_size, const Blocks& target_blocks) {
  if (map.size() == 0) return 0;
  std::vector<Index> block_of(to_size);
  for (std::size_t b = 0; b < target_blocks.size(); ++b)
    for (Index i = target_blocks.offsets[b]; i < target_blocks.offsets[b + 1]; ++i)
      block_of[target_blocks.entries[i]] = static_cast<Index>(b);
  std::size_t computed = 0;
  std::vector<Index> touched;
  for (std::size_t e = 0; e < map.size(); ++e) {
    touched.clear();
    for (int s = 0; s < map.arity; ++s)
      if (map[e][s] >= 0) touched.push_back(block_of[map[e][s]]);
    std::sort(touched.begin(), touched.end());
    computed += std::size_t(std::unique(touched.begin(), touched.end()) - touched.begin());
  }
  return double(computed) / double(map.size());
}

}  // namespace miniapp::graph
