// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp::space {

/// Where a local node lies: on a vertex, inside an edge, inside a face, or inside the cell.
struct LocalNode {
  int size;        ///< vertices of what it lies on: 1, 2, 3 or 4; 0 inside the cell
  int slot;        ///< number of the vertex, edge or face in the cell
  int corners[4];  ///< local vertices of that entity; of a quadrilateral a + 2 b
  int at[3];  ///< edge: steps from corner 0; triangle: barycentric indices of the corners; quadrilateral: steps along a
              ///< and b
  int faces;  ///< bit f: the node lies on face f of the cell or on its boundary
};

/// Keys of nodes by entity, for cells of one kind with any faces: vertices, then inner nodes of edges and of faces.
/// Every face has as many keys as a quadrilateral; a triangle does not use all of them. Nodes inside cells have none.
struct EntityKeys {
  int p;
  Vector<const LocalNode> local;
  int num_vertices, num_edges, num_faces;      ///< entities of a cell
  Vector<const Index> vertices, edges, faces;  ///< (cell, of a cell)
  Index edge_base, face_base, end;

  KOKKOS_INLINE_FUNCTION int num_local() const { return static_cast<int>(local.extent(0)); }

  /// The key of a local node; -1 inside the cell. Cells that share the entity agree on it.
  KOKKOS_INLINE_FUNCTION Index operator()(std::int64_t e, int r) const {
    const LocalNode& node = local(r);
    if (node.size == 0) return -1;
    Index corner[4] = {};  // global vertices; those that the entity has not stay unread
    for (int c = 0; c < node.size; ++c) corner[c] = vertices(e * num_vertices + node.corners[c]);
    if (node.size == 1) return corner[0];
    if (node.size == 2) return edge_base + edges(e * num_edges + node.slot) * (p - 1) + on_edge(corner, node);
    const Index first = face_base + faces(e * num_faces + node.slot) * (p - 1) * (p - 1);
    return first + (node.size == 3 ? on_triangle(corner, node) : on_quadrilateral(corner, node));
  }

 private:
  /// The place of a node on its edge, from the lower global vertex to the higher one.
  KOKKOS_INLINE_FUNCTION int on_edge(const Index* corner, const LocalNode& node) const {
    return (corner[0] < corner[1] ? node.at[0] : p - node.at[0]) - 1;
  }
  /// The place of a node of a triangle, by the barycentric indices of the two highest global vertices.
  KOKKOS_INLINE_FUNCTION int on_triangle(const Index* corner, const LocalNode& node) const {
    int at[3] = {};  // ascending by global vertex
    for (int c = 0; c < 3; ++c) at[(corner[c] > corner[(c + 1) % 3]) + (corner[c] > corner[(c + 2) % 3])] = node.at[c];
    return (at[2] - 1) * (p - 1) + at[1] - 1;
  }
  /// The place of a node of a quadrilateral, seen from the lowest global vertex, first towards the lower one of its
  /// neighbours.
  KOKKOS_INLINE_FUNCTION int on_quadrilateral(const Index* corner, const LocalNode& node) const {
    int lowest = 0;
    for (int c = 1; c < 4; ++c)
      if (corner[c] < corner[lowest]) lowest = c;
    const int a = (lowest & 1 ? p - node.at[0] : node.at[0]) - 1, b = (lowest & 2 ? p - node.at[1] : node.at[1]) - 1;
    return corner[lowest ^ 2] < corner[lowest ^ 1] ? a * (p - 1) + b : b * (p - 1) + a;
  }
};

}  // namespace miniapp::space
