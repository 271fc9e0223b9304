// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "miniapp/core/csr.hpp"
#include "miniapp/core/detail/onto.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::tensor {

struct LaneGroups;

/// Where the groups of a part add at nodes that an earlier part owns: in copies, which are added to the owner's values
/// when all parts are done. A row of which one node in one lane belongs to another part is copied whole, in all lanes,
/// so that it is moved like any other. Empty if there is one part.
struct LaneCopies {
  std::vector<std::int64_t> offset;  ///< (group): offset of the group's entries, -1 if it has no copies
  /// Rows: (entry, row, lane) the first of the row's copies, or -1. Indexed: (entry, node, lane) the node's copy, or
  /// -1.
  std::vector<Index> places;
  std::vector<std::uint16_t>
      met;                    ///< like places: all bits set if an earlier group of the part stored there, else none
  std::vector<Onto> onto;     ///< rows: (entry, row) what its copies add to
  std::vector<Index> nodes;   ///< nodes that have copies
  Csr<std::int64_t> of_node;  ///< (nodes): copies of the node, in the order of parts
  Index size = 0;             ///< number of copies
};

/// `first` (node) is the first group that visits it. O(rows of groups + copies + nodes).
LaneCopies make_copies(const space::Space& space, const LaneGroups& groups, std::vector<Index> first);

/// Where a node is stored, masked or not.
inline Index storage(Index node) { return node < 0 ? ~node : node; }

}  // namespace miniapp::tensor
