// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/shared_map.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

enum class Boundary {
  neumann,    ///< every node is free
  dirichlet,  ///< nodes on the surface are masked: they are zero and stay zero
};

/// Continuous Gauss-Lobatto nodes of one order on a mesh: the element-to-global map Z, and its masks.
struct Numbering {
  int order = 0;
  /// Z (element, i + n j + n^2 k): global node of local node (i, j, k) along (r, s, t), n = order + 1; ~node where
  /// masked.
  SharedMap element_to_node;
  Index num_nodes = 0;        ///< global nodes, masked ones included: the length of vectors
  std::vector<Index> masked;  ///< masked nodes, ascending
  Index num_dofs() const { return num_nodes - static_cast<Index>(masked.size()); }
};

/// Numbers the nodes of `mesh`: shared vertices, edges and faces agree whatever the local orientation of the elements.
///
/// Nodes are numbered along lines: r-rows of an element that continue into the next element through its r-face are
/// numbered from end to end, line after line in the order in which elements meet them. So the n nodes of a row are
/// consecutive wherever neighbours share their r direction, as rows of a box do, and an element's nodes lie close
/// together. Errors: more than 2^31 - 1 nodes. O(nodes + elements log elements).
Numbering make_numbering(const Mesh& mesh, int order, Boundary boundary);

/// Number of nodes that make_numbering() would find on a simply connected mesh of these many entities.
std::int64_t count_nodes(std::int64_t vertices, std::int64_t edges, std::int64_t faces, std::int64_t elements,
                         int order);

}  // namespace miniapp::mesh
