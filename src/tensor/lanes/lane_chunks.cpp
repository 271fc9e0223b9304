// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/execution.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include <algorithm>
#include <limits>

#include "miniapp/graph/transpose.hpp"
#include "tensor/lanes/lane_chunks.hpp"

namespace miniapp::tensor {
namespace {

using streaming::EntryRange;

constexpr Index unseen = std::numeric_limits<Index>::max(), shared = -1;
bool is_chunk(Index chunk) { return chunk != shared && chunk != unseen; }

/// Consecutive nodes of the same chunk.
struct Found {
  Index chunk;
  EntryRange nodes;
};

/// The ranges of all nodes, ascending. Nodes that have chunks of one part get one chunk, `size` of them at a time: the
/// first or the last.
template <class Choose>
std::vector<Found> find_ranges(const std::vector<Index>& chunk_of, const std::vector<Index>& part_of, int size,
                               const Choose& choose) {
  const HostRanges parts(chunk_of.size());
  std::vector<std::vector<Found>> found(parts.count());
  parts.for_each([&](int r) {
    const auto stop = static_cast<Index>(parts.end(r));
    std::vector<Found>& ranges = found[r];
    for (Index begin = static_cast<Index>(parts.begin(r)), end; begin < stop; begin = end) {
      Index chunk = chunk_of[begin];
      end = begin + 1;
      if (is_chunk(chunk))
        for (const Index part = part_of[chunk]; end < stop && end < begin + size; ++end) {
          if (!is_chunk(chunk_of[end]) || part_of[chunk_of[end]] != part) break;
          chunk = choose(chunk, chunk_of[end]);
        }
      else
        while (end < stop && chunk_of[end] == chunk) ++end;
      if (!ranges.empty() && ranges.back().chunk == chunk)
        ranges.back().nodes.end = end;
      else
        ranges.push_back({chunk, {begin, end}});
    }
  });
  std::vector<Found> all;
  for (const auto& ranges : found) all.insert(all.end(), ranges.begin(), ranges.end());
  return all;
}

Csr<EntryRange> by_chunk(const std::vector<Found>& ranges, std::size_t chunks) {
  Map chunk_of_range(ranges.size(), 1);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    chunk_of_range.entries[i] = is_chunk(ranges[i].chunk) ? ranges[i].chunk : -1;
  const Csr<std::int64_t> of_chunk = graph::transpose(chunk_of_range, chunks);
  Csr<EntryRange> rows;
  rows.offsets = of_chunk.offsets;
  for (const std::int64_t i : of_chunk.entries) rows.entries.push_back(ranges[static_cast<std::size_t>(i)].nodes);
  return rows;
}

std::vector<EntryRange> without_chunk(const std::vector<Found>& ranges) {
  std::vector<EntryRange> others;
  for (const Found& range : ranges)
    if (!is_chunk(range.chunk)) others.push_back(range.nodes);
  return others;
}

class Chunker {
 public:
  Chunker(const space::Space& space, const LaneGroups& groups, LaneChunks& chunks)
      : space_(space), map_(space.element_to_node.host()), groups_(groups), chunks_(chunks) {}

  void run(const ChunkSizes& sizes) {
    cut(sizes.nodes);
    const std::size_t count = chunks_.group_offsets.size() - 1;
    chunk_of_.assign(space_.num_nodes, unseen);
    for_visits([&](Index node, Index chunk, int) { lower(node, chunk); });
    find_shared_by_parts();
    const std::vector<Found> first =
        find_ranges(chunk_of_, part_of_, sizes.range, [](Index a, Index b) { return std::min(a, b); });
    chunks_.first = by_chunk(first, count);
    chunks_.early = without_chunk(first);

    find_late();
    for_visits([&](Index node, Index chunk, int) {  // of one part alone, so that no other thread writes it
      if (chunk_of_[node] != shared) chunk_of_[node] = chunk;
    });
    const std::vector<Found> last =
        find_ranges(chunk_of_, part_of_, sizes.range, [](Index a, Index b) { return std::max(a, b); });
    chunks_.last = by_chunk(last, count);
    chunks_.late = without_chunk(last);
  }

 private:
  /// Calls body(node, chunk, part) for all nodes of elements, those of a part in the order of its chunks.
  template <class Body>
  void for_visits(const Body& body) {
    for_each_group(groups_.parts(), [&](int part) {
      for (Index c = chunks_.part_offsets[part]; c < chunks_.part_offsets[part + 1]; ++c)
        for (Index g = chunks_.group_offsets[c]; g < chunks_.group_offsets[c + 1]; ++g)
          for (int l = 0; l < groups_.width; ++l)
            if (const Index e = element(g, l); e >= 0)
              for (int q = 0; q < map_.arity; ++q) body(storage(map_[e][q]), c, part);
    });
  }

  Index element(Index group, int lane) const { return groups_.elements[std::size_t(group) * groups_.width + lane]; }

  void cut(int nodes) {
    const std::int64_t order = space_.order, of_group = groups_.width * order * order * order;
    for (Index part = 0; part < groups_.parts(); ++part) {
      const Index end = groups_.part_offsets[part + 1];
      for (Index begin = groups_.part_offsets[part], g = begin; g < end; ++g)
        if (g + 1 == end || ((g + 1 - begin) * of_group >= nodes && !share_line(g, g + 1))) {
          begin = g + 1;
          chunks_.group_offsets.push_back(begin);
          part_of_.push_back(part);
        }
      chunks_.part_offsets.push_back(static_cast<Index>(chunks_.group_offsets.size()) - 1);
    }
  }

  /// Whether an element of one group is the next one in a line of elements after one of another, or the one before it.
  bool share_line(Index group, Index other) const {
    for (int l = 0; l < groups_.width; ++l)
      for (int k = 0; k < groups_.width; ++k)
        if (const Index e = element(group, l), f = element(other, k); e >= 0 && f >= 0)
          if (follows(e, f) || follows(f, e)) return true;
    return false;
  }
  /// Whether the first and the last row of nodes go on from element e to element f.
  bool follows(Index e, Index f) const {
    const int n = space_.order + 1, last = n * n * (n - 1) + n * (n - 1);
    return map_[e][n - 1] == map_[f][0] && map_[e][last + n - 1] == map_[f][last];
  }

  void lower(Index node, Index chunk) {
    if constexpr (has_one_thread)
      chunk_of_[node] = std::min(chunk_of_[node], chunk);
    else
      Kokkos::atomic_fetch_min(&chunk_of_[node], chunk);
  }

  void find_shared_by_parts() {
    if (groups_.parts() == 1) return;
    for_visits([&](Index node, Index, int part) {
      if (chunk_of_[node] < chunks_.part_offsets[part]) lower(node, shared);
    });
  }
  /// And rows that are copied whole.
  void find_late() {
    for (const Index node : groups_.copies.nodes) chunk_of_[node] = shared;
    for (const Vector<const Index>& entries : {space_.exchange.shared(), chunks_.late_entries})
      for (std::size_t k = 0; k < entries.extent(0); ++k) chunk_of_[entries(k) % space_.num_nodes] = shared;
  }

  const space::Space& space_;
  const Map& map_;
  const LaneGroups& groups_;
  LaneChunks& chunks_;
  std::vector<Index> part_of_;   ///< (chunk)
  std::vector<Index> chunk_of_;  ///< (node): the first chunk that visits it, later the last
};

}  // namespace

LaneChunks make_lane_chunks(const space::Space& space, const LaneGroups& groups, const ChunkSizes& sizes,
                            const Vector<const Index>& late_entries) {
  LaneChunks chunks;
  chunks.late_entries = late_entries;
  Chunker(space, groups, chunks).run(sizes);
  return chunks;
}

}  // namespace miniapp::tensor
#endif
