// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <string>

#include "graph/links.hpp"
#include "graph/metis_parts.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/graph/reorder.hpp"

namespace miniapp::graph {

#ifdef MINIAPP_HAVE_METIS
namespace {

constexpr double tolerance = 1.03;  // METIS's default load imbalance

/// Elements that share a target, in METIS's integers.
MetisGraph elements_that_share(const Map& map, std::size_t to_size) {
  const Links rows = elements_of_targets(map, to_size);
  MetisGraph graph;
  std::vector<Id> seen_by(map.size(), no_id);
  for (Id element = 0; element < map.size(); ++element) {
    seen_by[element] = element;
    for (int s = 0; s < map.arity; ++s) {
      if (map[element][s] < 0) continue;
      for (const Id other : rows[map[element][s]]) {
        if (seen_by[other] == element) continue;
        seen_by[other] = element;
        graph.entries.push_back(static_cast<idx_t>(other));
      }
    }
    if (graph.entries.size() > std::size_t(std::numeric_limits<idx_t>::max()))
      throw InputError("reorder", "metis",
                       "more pairs of elements that share data than METIS's integers count; accepted is blocks");
    graph.end_row();
  }
  return graph;
}

}  // namespace

Blocks metis_blocks(const Map& map, std::size_t to_size, int block_size) {
  require(block_size >= 1, "block_size", block_size, "accepted are 1 or more");
  const idx_t size = static_cast<idx_t>(map.size()), target = std::max<idx_t>(1, idx_t(block_size / tolerance));
  const idx_t parts = size <= block_size ? 1 : (size + target - 1) / target;
  const idx_t excess = std::max<idx_t>(1, 1000 * (block_size - target) / target);
  const std::vector<idx_t> part = make_parts(elements_that_share(map, to_size), parts, excess, "reorder");

  std::vector<Index> next(parts + 1, 0);  // elements keep their order within a part
  for (const idx_t p : part) ++next[p + 1];
  for (idx_t p = 0; p < parts; ++p) next[p + 1] += next[p];
  const std::vector<Index> starts = next;
  Blocks blocks;
  blocks.entries.resize(map.size());
  for (idx_t element = 0; element < size; ++element) blocks.entries[next[part[element]]++] = element;
  for (idx_t p = 0; p < parts; ++p) {
    const std::int64_t of_part = starts[p + 1] - starts[p], pieces = (of_part + block_size - 1) / block_size;
    for (std::int64_t piece = 1; piece <= pieces; ++piece)  // none for an empty part
      blocks.offsets.push_back(static_cast<Index>(starts[p] + of_part * piece / pieces));
  }
  return blocks;
}
#else
Blocks metis_blocks(const Map&, std::size_t, int) { throw InputError("reorder", "metis", why_not(Reorder::metis)); }
#endif

}  // namespace miniapp::graph
