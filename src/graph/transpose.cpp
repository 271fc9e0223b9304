// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/transpose.hpp"

#include "miniapp/core/host_ranges.hpp"

namespace miniapp::graph {

Csr<std::int64_t> transpose(const Map& map, std::size_t to_size) {
  Csr<std::int64_t> rows;
  rows.offsets.assign(to_size + 1, 0);
  for (const Index id : map.entries)
    if (id >= 0) ++rows.offsets[id + 1];
  for (std::size_t t = 0; t < to_size; ++t) rows.offsets[t + 1] += rows.offsets[t];
  rows.entries = make_large<std::int64_t>(rows.offsets.back());
  std::vector<std::int64_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t position = 0; position < map.entries.size(); ++position)
    if (const Index id = map.entries[position]; id >= 0) rows.entries[next[id]++] = static_cast<std::int64_t>(position);
  return rows;
}

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> place = make_large<Index>(order.size());
  for_host(order.size(), [&](std::size_t i) { place[order[i]] = static_cast<Index>(i); });
  return place;
}

Map permute(const Map& map, const std::vector<Index>& from_order, const std::vector<Index>& to_place) {
  Map result(from_order.size(), map.arity);
  for_host(from_order.size(), [&](std::size_t i) {
    for (int s = 0; s < map.arity; ++s) {
      const Index target = map[from_order[i]][s];
      result[i][s] = target < 0 ? target : to_place[target];
    }
  });
  return result;
}

std::vector<Index> count_uses(const Map& map, std::size_t begin, std::size_t end) {
  std::vector<Index> uses = make_large<Index>(end - begin);
  for (const Index id : map.entries)
    if (const auto target = static_cast<std::size_t>(id); target >= begin && target < end) ++uses[target - begin];
  return uses;
}

}  // namespace miniapp::graph
