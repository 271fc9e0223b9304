// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/graph/partition.hpp"

namespace miniapp::measure {

/// What a run takes at most at one time [bytes]. Where kernels run on the host, both parts are of one memory.
struct MemoryNeed {
  double host = 0, device = 0;
  double total() const { return host + device; }
};

/// The program itself, with its libraries and small tables.
inline constexpr double program_bytes = 8e6;

/// What is needed where all of these are, one after the other.
MemoryNeed most_of(const std::vector<MemoryNeed>& moments);

/// What each rank needs while graph::part_of_box() distributes a box of so many elements: METIS has the graph of all
/// elements and coarser ones. Measured on cubes of 40 to 300 elements a side and on a plane.
inline MemoryNeed partition_need(graph::Partition partition, double elements, int dim, int ranks) {
  return {program_bytes + (ranks > 1 && partition == graph::Partition::metis ? (dim == 2 ? 170 : 215) * elements : 0),
          0};
}

}  // namespace miniapp::measure
