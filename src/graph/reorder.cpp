// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/reorder.hpp"

#include <algorithm>
#include <numeric>

#include "graph/renumber.hpp"
#include "graph/sort_sets.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/graph/bisection.hpp"
#include "miniapp/graph/transpose.hpp"

namespace miniapp::graph {

namespace {

std::vector<Index> identity(std::size_t size) {
  std::vector<Index> ids(size);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

}  // namespace

std::string why_not([[maybe_unused]] Reorder reorder) {
#ifndef MINIAPP_HAVE_METIS
  if (reorder == Reorder::metis) return "this build has no METIS; accepted are none, rcm, gps, blocks or bisection";
#endif
  return "";
}

Ordering make_ordering(const Map& map, std::size_t to_size, Reorder reorder, int block_size,
                       const std::vector<Point>& points) {
  const std::string reason = why_not(reorder);
  require(reason.empty(), "reorder", name(reorder), reason);
  Ordering ordering;
  switch (reorder) {
    case Reorder::none:
      return {consecutive_blocks(map.size(), block_size), identity(to_size)};
    case Reorder::rcm:
    case Reorder::gps: {
      ordering.from = consecutive_blocks(map.size(), block_size);
      const Graph graph = targets_that_share(map, to_size);
      ordering.to = reorder == Reorder::rcm ? reverse_cuthill_mckee(graph) : gibbs_poole_stockmeyer(graph);
      ordering.from.entries = sort_elements(map, ordering.to);
      return ordering;
    }
    case Reorder::metis:
      ordering.from = metis_blocks(map, to_size, block_size);
      break;
    case Reorder::blocks:
      ordering.from = grow_blocks(map, to_size, block_size);
      break;
    case Reorder::bisection:
      return copy_to_host(bisect_elements(copy_to_device(map, to_size), copy_to_device(points), block_size),
                          block_size);
  }
  ordering.to = sort_targets(map, to_size, ordering.from);
  return ordering;
}

Ordering make_owner_ordering(const Map& map, std::size_t to_size, Reorder reorder, int block_size,
                             const std::vector<Point>& points) {
  if (reorder == Reorder::bisection)
    return copy_to_host(bisect_targets(copy_to_device(map, to_size), copy_to_device(points), block_size), block_size);
  if (reorder != Reorder::blocks && reorder != Reorder::metis) return make_ordering(map, to_size, reorder, block_size);
  Ordering ordering;
  if (reorder == Reorder::blocks) {
    ordering.to = inverse(grow_target_blocks(map, to_size, block_size).entries);
  } else {
    const double elements_per_target = double(map.size()) / double(std::max<std::size_t>(to_size, 1));
    const int elements = static_cast<int>(std::clamp(block_size * elements_per_target, 1., 1e6));
    ordering.to = first_touch(map, metis_blocks(map, to_size, elements).entries, to_size);
  }
  ordering.from = consecutive_blocks(map.size(), block_size);
  ordering.from.entries = sort_elements(map, ordering.to);
  return ordering;
}

}  // namespace miniapp::graph
