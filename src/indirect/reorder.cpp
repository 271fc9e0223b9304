// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/reorder.hpp"

#include <algorithm>
#include <numeric>

#include "indirect/renumber.hpp"
#include "indirect/sort_sets.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/indirect/bisection.hpp"

namespace miniapp::indirect {

namespace {

std::vector<Index> identity(std::size_t size) {
  std::vector<Index> ids(size);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

}  // namespace

Ordering make_ordering(const Map& map, std::size_t to_size, Reorder reorder, int block_size,
                       const std::vector<mesh::Point>& points) {
  const std::string reason = why_not(reorder);
  require(reason.empty(), "--reorder: " + reason);
  Ordering ordering;
  switch (reorder) {
    case Reorder::none:
      return {consecutive_blocks(map.size(), block_size), identity(to_size)};
    case Reorder::rcm:
    case Reorder::gps: {
      ordering.from = consecutive_blocks(map.size(), block_size);
      const TargetGraph graph = targets_that_share(map, to_size);
      ordering.to = reorder == Reorder::rcm ? reverse_cuthill_mckee(graph) : gibbs_poole_stockmeyer(graph);
      ordering.from.order = sort_elements(map, ordering.to);
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
                             const std::vector<mesh::Point>& points) {
  if (reorder == Reorder::bisection)
    return copy_to_host(bisect_targets(copy_to_device(map, to_size), copy_to_device(points), block_size), block_size);
  if (reorder != Reorder::blocks && reorder != Reorder::metis) return make_ordering(map, to_size, reorder, block_size);
  Ordering ordering;
  if (reorder == Reorder::blocks) {
    ordering.to.resize(to_size);
    Index next = 0;
    for (const Index target : grow_target_blocks(map, to_size, block_size).order) ordering.to[target] = next++;
  } else {
    const double elements_a_target = double(map.size()) / double(std::max<std::size_t>(to_size, 1));
    const int elements = static_cast<int>(std::clamp(block_size * elements_a_target, 1., 1e6));
    ordering.to = first_touch(map, metis_blocks(map, to_size, elements).order, to_size);
  }
  ordering.from = consecutive_blocks(map.size(), block_size);
  ordering.from.order = sort_elements(map, ordering.to);
  return ordering;
}

Map permute(const Map& map, const std::vector<Index>& from_order, const std::vector<Index>& to_place) {
  Map result(from_order.size(), map.arity);
  for (std::size_t i = 0; i < from_order.size(); ++i)
    for (int s = 0; s < map.arity; ++s) {
      const Index target = map[from_order[i]][s];
      result[i][s] = target < 0 ? target : to_place[target];
    }
  return result;
}

}  // namespace miniapp::indirect
