// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/graph/partition.hpp"

namespace miniapp::graph {

/// Memory of each rank while part_of_box() distributes a box of so many elements in so many dimensions over so many
/// ranks [bytes]: METIS's graph of all elements and its coarser ones, measured on cubes of 40 to 300 elements a side
/// and on a plane. One rank distributes nothing.
inline double partition_bytes(Partition partition, double elements, int dim, int ranks) {
  return ranks > 1 && partition == Partition::metis ? (dim == 2 ? 170 : 215) * elements : 0;
}

}  // namespace miniapp::graph
