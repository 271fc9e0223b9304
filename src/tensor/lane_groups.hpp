// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "miniapp/core/detail/onto.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// How a group of elements accesses its nodes.
enum class Access : char {
  rows,         ///< each row of nodes is consecutive in memory, no node is masked
  masked_rows,  ///< rows are consecutive, some nodes are masked
  indexed,      ///< node by node: rows are not consecutive, or the group is not full
};

/// Elements in groups of `width`, one per lane of a vector register, for kernels with fused gather and scatter.
struct LaneGroups {
  int width = 0;
  Index num_nodes = 0;                ///< of the mesh
  std::vector<Index> elements;        ///< (group, lane): element, -1 where the lane is empty
  std::vector<Index> colour_offsets;  ///< groups of a colour share no node, so they may run concurrently
  std::vector<Access> access;         ///< (group)
  std::vector<std::int64_t> offset;   ///< (group): offset of the group's entries in the array for its access
  std::vector<Index> row_starts;      ///< rows: (entry, row j + n k, lane) first node of the row
  /// masked_rows: (entry, row, part), bit l set if the first, inner or last nodes of lane l's row are masked
  std::vector<std::uint16_t> row_masks;
  std::vector<Index> nodes;  ///< indexed: (entry, node, lane), ~node where masked, -1 where the lane is empty
  std::vector<std::int64_t> mask_offset;  ///< (group): offset of its row masks, -1 if it has none
  /// Groups run in the order of their numbers, those of a colour in any order: the first group at a node stores, the
  /// others add.
  std::vector<Onto> onto;          ///< rows: (entry, row j + n k) what its nodes add to
  std::vector<std::uint16_t> met;  ///< rows: (entry, row, lane), bit i set if an earlier group met node i of the row
  std::vector<std::uint16_t> node_met;  ///< indexed: (entry, node), bit l set if an earlier group met lane l's node
  int size() const { return static_cast<int>(access.size()); }
  std::size_t bytes() const;
};

/// Groups elements, in order, such that lanes of a group share no node: on a box, every second element of a mesh row.
/// Full groups keep the order of elements, so that a group's nodes are close in memory; with more than one thread,
/// groups are ordered by colour instead. O(elements + nodes).
LaneGroups make_lane_groups(const mesh::Mesh& mesh, const space::Space& space, int width, bool coloured);

/// Those of a discretisation, coloured where several threads run them: made once, and kept by the discretisation.
std::shared_ptr<const LaneGroups> lane_groups(const Discretisation& d, int width);

}  // namespace miniapp::tensor
