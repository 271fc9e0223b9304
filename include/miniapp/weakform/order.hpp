// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/graph/reorder.hpp"
#include "miniapp/mesh/mesh.hpp"
#include "miniapp/weakform/strategy.hpp"

namespace miniapp::weakform {

/// A mesh whose cells are in another order.
struct OrderedMesh {
  mesh::Mesh mesh;
  std::vector<Index> first_cell;  ///< where the order's blocks begin, and the end: Options::first_cell of tiles
};

/// Orders the cells of a mesh so that neighbours in space are neighbours in memory. Nodes follow, since a space numbers
/// them in the order in which cells visit them. Blocks have block_size cells for tiles, and for owner as many cells as
/// have block_size nodes of their own on average. Errors: those of graph::make_ordering (InputError).
OrderedMesh order_cells(const mesh::Mesh& mesh, Strategy strategy, graph::Reorder reorder, int block_size);

}  // namespace miniapp::weakform
