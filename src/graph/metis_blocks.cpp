// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <string>

#include "core/own_signals.hpp"
#include "graph/links.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/graph/reorder.hpp"
#ifdef MINIAPP_HAVE_METIS
#include <metis.h>
#endif

namespace miniapp::graph {

#ifdef MINIAPP_HAVE_METIS
namespace {

constexpr double tolerance = 1.03;  // METIS's default load imbalance

using MetisGraph = Csr<idx_t, idx_t>;

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
      throw InputError(
          "reorder metis: more pairs of elements that share data than METIS's integers count; accepted is "
          "blocks");
    graph.end_row();
  }
  return graph;
}

/// The part of each element, with `target` elements per part on average and at most block_size, as far as METIS
/// succeeds.
std::vector<idx_t> make_parts(MetisGraph graph, idx_t parts, idx_t target, int block_size) {
  idx_t vertices = static_cast<idx_t>(graph.size()), constraints = 1, cut = 0;
  std::vector<idx_t> part(vertices, 0);
  if (parts < 2) return part;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = std::max<idx_t>(1, 1000 * (block_size - target) / target);  // thousandths above 1
  const OwnSignals own;
  const int status = METIS_PartGraphKway(&vertices, &constraints, graph.offsets.data(), graph.entries.data(), nullptr,
                                         nullptr, nullptr, &parts, nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK)
    throw ResultError("reorder metis: METIS_PartGraphKway failed, status " + std::to_string(status));
  return part;
}

}  // namespace

Blocks metis_blocks(const Map& map, std::size_t to_size, int block_size) {
  require(block_size >= 1, "block_size " + std::to_string(block_size) + ": accepted are 1 or more");
  const idx_t size = static_cast<idx_t>(map.size()), target = std::max<idx_t>(1, idx_t(block_size / tolerance));
  const idx_t parts = size <= block_size ? 1 : (size + target - 1) / target;
  const std::vector<idx_t> part = make_parts(elements_that_share(map, to_size), parts, target, block_size);

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
Blocks metis_blocks(const Map&, std::size_t, int) { throw InputError("reorder metis: " + why_not(Reorder::metis)); }
#endif

}  // namespace miniapp::graph
