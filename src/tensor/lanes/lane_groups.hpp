// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "miniapp/core/detail/onto.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/lanes/lane_copies.hpp"

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
  Index num_nodes = 0;          ///< nodes of the mesh
  std::vector<Index> elements;  ///< (group, lane): element, -1 where the lane is empty
  std::vector<Index> part_offsets{
      0};                            ///< (part): its first group; parts run concurrently, the groups of a part in order
  std::vector<Access> access;        ///< (group)
  std::vector<std::int64_t> offset;  ///< (group): offset of the group's entries in the array for its access
  std::vector<Index> row_starts;     ///< rows: (entry, row j + n k, lane) first node of the row
  /// masked_rows: (entry, row, part), bit l set if the first, inner or last nodes of lane l's row are masked
  std::vector<std::uint16_t> row_masks;
  std::vector<Index> nodes;  ///< indexed: (entry, node, lane), ~node where masked, -1 where the lane is empty
  std::vector<std::int64_t> mask_offset;  ///< (group): offset of its row masks, -1 if it has none
  /// The first group at a node stores, the others add. Its part owns the node; groups of other parts add to copies.
  std::vector<Onto> onto;               ///< rows: (entry, row j + n k) what its nodes add to
  std::vector<std::uint16_t> met;       ///< rows: (entry, row, lane), bit i set if an earlier group visited node i
  std::vector<std::uint16_t> node_met;  ///< indexed: (entry, node), bit l set if an earlier group visited lane l's node
  LaneCopies copies;
  int size() const { return static_cast<int>(access.size()); }
  int parts() const { return static_cast<int>(part_offsets.size()) - 1; }
  std::size_t bytes() const;  ///< without the copies, which only several threads have
};

/// Calls body(group) for all groups, in parallel on a host.
void for_each_group(int groups, const std::function<void(int)>& body);

/// Groups elements, in order, such that lanes of a group share no node: on a box, every second element of a mesh row.
/// Full groups keep the order of elements, so that a group's nodes are close in memory. Parts are consecutive groups,
/// so many in each (+-1): on a box, slabs that share a plane of nodes. O(elements + nodes).
LaneGroups make_lane_groups(const mesh::Mesh& mesh, const space::Space& space, int width, int parts);

/// The groups that a discretisation has made so far, one for each width of lanes. Threads may ask for them at once.
class LaneGroupCache {
 public:
  /// The groups of this width; makes them, with a part for each thread, where there are none.
  std::shared_ptr<const LaneGroups> find(const Discretisation& d, int width);
  /// Adds groups that were made otherwise.
  void add(std::shared_ptr<const LaneGroups> groups) {
    const std::lock_guard held(lock_);
    made_.push_back(std::move(groups));
  }

 private:
  std::mutex lock_;
  std::vector<std::shared_ptr<const LaneGroups>> made_;
};

/// The groups of a discretisation, with a part for each thread: made once, and kept by the discretisation.
std::shared_ptr<const LaneGroups> lane_groups(const Discretisation& d, int width);

}  // namespace miniapp::tensor
