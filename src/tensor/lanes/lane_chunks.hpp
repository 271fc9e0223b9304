// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/csr.hpp"
#include "miniapp/streaming/entries.hpp"
#include "tensor/lanes/lane_groups.hpp"

namespace miniapp::tensor {

/// The groups of a part in chunks, each with nodes that its part has not read before and nodes to which nobody adds any
/// more after it: loops over these, before and after the groups, find them in caches.
struct LaneChunks {
  std::vector<Index> part_offsets{0};        ///< (part): its first chunk
  std::vector<Index> group_offsets{0};       ///< (chunk): its first group
  Csr<streaming::EntryRange> first, last;    ///< (chunk): nodes for the loops before and after it
  std::vector<streaming::EntryRange> early;  ///< nodes that several parts read, or none: before all chunks
  std::vector<streaming::EntryRange> late;   ///< nodes to which several parts or ranks add, or none: after all chunks
  Vector<const Index> late_entries;          ///< entries whose nodes are among these, as given
};

/// How chunks and ranges are cut.
struct ChunkSizes {
  int nodes =
      1 << 12;  ///< least number of nodes of a chunk: their entries of four vectors fill a quarter of a small L2 cache
  int range = 64;  ///< nodes that are done together, with the first and the last chunk of any of them
};

/// A chunk ends where a line of elements does, on meshes that have lines, since its nodes would be pieces of rows
/// otherwise. O(nodes of elements).
LaneChunks make_lane_chunks(const space::Space& space, const LaneGroups& groups, const ChunkSizes& sizes = {},
                            const Vector<const Index>& late_entries = {});

}  // namespace miniapp::tensor
