// SPDX-License-Identifier: BSD-3-Clause
#include "graph/sort_sets.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <numeric>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/graph/transpose.hpp"

namespace miniapp::graph {

namespace {

/// Stable sort of ids by keys below `keys`. O(ids + keys).
template <class Key>
std::vector<Index> sort_by(const std::vector<Index>& ids, std::size_t keys, Key key) {
  std::vector<Index> next(keys + 1, 0), sorted(ids.size());
  for (const Index id : ids) ++next[key(id) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const Index id : ids) sorted[next[key(id)]++] = id;
  return sorted;
}

/// The blocks that write each target, in ascending order, and the targets in the order in which blocks first refer to
/// them.
struct Writers {
  Csr<> blocks;
  std::vector<Index> met;
};

/// Calls function(block, target) once for each pair of a block and a target that it writes.
template <class Function>
void for_written(const Map& map, std::size_t to_size, const Blocks& blocks, Function function) {
  std::vector<Index> seen_by(to_size, -1);
  for (Index b = 0; b < Index(blocks.size()); ++b)
    for (const Index element : blocks[b])
      for (int s = 0; s < map.arity; ++s) {
        const Index target = map[element][s];
        if (target < 0 || seen_by[target] == b) continue;
        seen_by[target] = b;
        function(b, target);
      }
}

Writers find_writers(const Map& map, std::size_t to_size, const Blocks& blocks) {
  Writers writers;
  auto& [offsets, entries] = writers.blocks;
  offsets.assign(to_size + 2, 0);
  for_written(map, to_size, blocks, [&, &offsets = offsets](Index, Index target) {
    if (offsets[target + 2]++ == 0) writers.met.push_back(target);
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  entries.resize(offsets.back());
  for_written(map, to_size, blocks,
              [&entries = entries, &offsets = offsets](Index b, Index target) { entries[offsets[target + 1]++] = b; });
  offsets.pop_back();
  return writers;
}

std::vector<Index> first_touch_by_one(const Map& map, const std::vector<Index>& order, std::size_t to_size) {
  std::vector<Index> place = make_large<Index>(to_size, -1);
  Index next = 0;
  for (const Index element : order)
    for (int s = 0; s < map.arity; ++s)
      if (Index& p = place[map[element][s]]; p < 0) p = next++;
  for (Index& p : place)
    if (p < 0) p = next++;
  return place;
}

}  // namespace

std::vector<Index> sort_elements(const Map& map, const std::vector<Index>& place) {
  if (map.size() == 0) return {};
  Map rows = map;
  for (std::size_t e = 0; e < map.size(); ++e) {
    for (int s = 0; s < map.arity; ++s)
      rows[e][s] = map[e][s] < 0 ? static_cast<Index>(place.size()) : place[map[e][s]];
    std::sort(rows[e], rows[e] + map.arity);
  }
  std::vector<Index> all(map.size());
  std::iota(all.begin(), all.end(), 0);
  const auto lowest = [&](Index e) { return rows[e][0]; };
  // by the lowest target first, so that few rows remain to be compared
  std::vector<Index> order = sort_by(all, place.size() + 1, lowest);
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(begin, order.end(), [&](Index e) { return lowest(e) != lowest(*begin); });
    std::stable_sort(begin, end, [&](Index a, Index b) {
      return std::lexicographical_compare(rows[a], rows[a] + map.arity, rows[b], rows[b] + map.arity);
    });
    begin = end;
  }
  return order;
}

std::vector<Index> sort_targets(const Map& map, std::size_t to_size, const Blocks& blocks) {
  const Writers found = find_writers(map, to_size, blocks);
  const Csr<>& writers = found.blocks;
  std::vector<Index> targets;
  for (std::size_t t = 0; t < to_size; ++t)
    if (writers.degree(t) == 0) targets.push_back(static_cast<Index>(t));
  targets.insert(targets.end(), found.met.begin(), found.met.end());
  std::int64_t most = 0;
  for (const Index t : targets) most = std::max(most, writers.degree(t));
  targets = sort_by(targets, most + 1, [&](Index t) { return writers.degree(t); });

  const auto first = std::find_if(targets.begin(), targets.end(), [&](Index t) { return writers.degree(t) > 1; });
  for (auto begin = first; begin != targets.end();) {  // by now sorted by the number and the first block
    const auto end = std::find_if(begin, targets.end(), [&](Index t) {
      return writers.degree(t) != writers.degree(*begin) || writers[t][0] != writers[*begin][0];
    });
    std::stable_sort(begin, end,
                     [&](Index a, Index b) { return std::ranges::lexicographical_compare(writers[a], writers[b]); });
    begin = end;
  }
  return inverse(targets);
}

std::vector<Index> first_touch(const Map& map, const std::vector<Index>& order, std::size_t to_size) {
  const HostRanges ranges(order.size());
  if (ranges.count() == 1) return first_touch_by_one(map, order, to_size);
  // (target): its first position among the entries of the map in this order
  std::vector<Index> first = make_large<Index>(to_size, std::numeric_limits<Index>::max());
  const auto for_entries = [&](int range, const auto& visit) {
    for (std::size_t i = ranges.begin(range); i < ranges.end(range); ++i)
      for (int s = 0; s < map.arity; ++s) visit(static_cast<Index>(i * map.arity + s), map[order[i]][s]);
  };
  ranges.for_each([&](int range) {
    for_entries(range, [&](Index position, Index target) {
      const std::atomic_ref<Index> least(first[target]);
      Index found = least.load(std::memory_order_relaxed);
      while (position < found && !least.compare_exchange_weak(found, position, std::memory_order_relaxed)) {
      }
    });
  });
  std::vector<Index> next(ranges.count() + 1, 0), place = make_large<Index>(to_size, -1);
  ranges.for_each([&](int range) {
    Index met = 0;
    for_entries(range, [&](Index position, Index target) { met += first[target] == position; });
    next[range + 1] = met;
  });
  std::partial_sum(next.begin(), next.end(), next.begin());
  Index rest = next.back();
  ranges.for_each([&](int range) {
    Index here = next[range];
    for_entries(range, [&](Index position, Index target) {
      if (first[target] == position) place[target] = here++;
    });
  });
  for (Index& p : place)
    if (p < 0) p = rest++;
  return place;
}

}  // namespace miniapp::graph
