// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/core/detail/onto.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::tensor {

/// How the nodes of a group of elements are reached.
enum class Access : char {
  rows,         ///< each row of nodes is consecutive in memory, no node is masked
  masked_rows,  ///< rows are consecutive, some nodes are masked
  indexed,      ///< node by node: rows are not consecutive, or the group is not full
};

/// Elements in groups of `width`, one a lane of a vector register, for kernels that gather and scatter by themselves.
struct LaneGroups {
  int width = 0;
  Index num_nodes = 0;                ///< of the mesh
  std::vector<Index> elements;        ///< (group, lane): element, -1 where the lane is empty
  std::vector<Index> colour_offsets;  ///< groups of a colour share no node: they may run at the same time
  std::vector<Access> access;         ///< (group)
  std::vector<std::int64_t> offset;   ///< (group): of the group's entries in the array that its access reads
  std::vector<Index> row_starts;      ///< rows: (entry, row j + n k, lane) first node of the row
  /// masked_rows: (entry, row, part), bit l where the first, inner, last nodes of lane l's row are masked
  std::vector<std::uint16_t> row_masks;
  std::vector<Index> nodes;  ///< indexed: (entry, node, lane), ~node where masked, -1 where the lane is empty
  std::vector<std::int64_t> mask_offset;  ///< (group): of its row masks, -1 where it has none
  /// Groups run in the order of their numbers, those of a colour in any: the first one at a node stores, the others
  /// add.
  std::vector<Onto> onto;          ///< rows: (entry, row j + n k) what its nodes add to
  std::vector<std::uint16_t> met;  ///< rows: (entry, row, lane), bit i where an earlier group met node i of the row
  std::vector<std::uint16_t> node_met;  ///< indexed: (entry, node), bit l where an earlier group met the node of lane l
  int size() const { return static_cast<int>(access.size()); }
};

/// Groups elements so that lanes of a group share no node, taking them in order: on a box, every second element of a
/// mesh row. Full groups keep the order of elements, so that a group's nodes lie close together; with more than one
/// thread they are ordered by colours instead. O(elements + nodes).
LaneGroups make_lane_groups(const mesh::Mesh& mesh, const space::Space& space, int width, bool coloured);

}  // namespace miniapp::tensor
