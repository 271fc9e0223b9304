// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp::space {

/// Keys of nodes by entity: vertices, then inner nodes of edges and of faces. Nodes inside elements have no key.
struct NodeKeys {
  int p, n;
  Vector<const Index> vertices, edges, faces;  ///< (element, local vertex), (element, 12), (element, 6)
  Index edge_base, face_base, end;

  /// The key of local node (i, j, k), which must lie on the surface of the element.
  KOKKOS_INLINE_FUNCTION Index operator()(std::int64_t e, int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const Index* const vertex = vertices.data() + 8 * e;
    int inner = 0, along[2] = {0, 0}, corner = 0;  // number of inner directions and which; ends of the others as bits
    for (int d = 0; d < 3; ++d) {
      if (x[d] == 0 || x[d] == p)
        corner |= (x[d] == p) << d;
      else
        along[inner++] = d;
    }
    if (inner == 0) return vertex[corner];
    const int d = along[0], a = x[d];
    if (inner == 1) {  // from the lower global vertex to the higher one
      const int slot = 4 * d + (d == 0 ? corner >> 1 : d == 1 ? (corner & 1) + (corner >> 1 & 2) : corner);
      const Index edge = edges(12 * e + slot);
      const bool forward = vertex[corner] < vertex[corner | 1 << d];
      return edge_base + edge * (p - 1) + (forward ? a - 1 : p - 1 - a);
    }
    // as seen from the lowest global vertex, first towards the lower one of its neighbours
    const int f = along[1], b = x[f], across = 3 - d - f, slot = 2 * across + (corner >> across);
    const int steps[4] = {0, 1 << d, 1 << f, 1 << d | 1 << f};
    int lowest = 0;
    for (int c = 1; c < 4; ++c)
      if (vertex[corner | steps[c]] < vertex[corner | steps[lowest]]) lowest = c;
    int first = lowest & 1 ? p - a : a, second = lowest & 2 ? p - b : b;
    if (vertex[corner | steps[lowest ^ 2]] < vertex[corner | steps[lowest ^ 1]]) {
      const int swapped = first;
      first = second;
      second = swapped;
    }
    return face_base + faces(6 * e + slot) * (p - 1) * (p - 1) + (second - 1) * (p - 1) + first - 1;
  }

  /// Whether the row (j, k) lies inside the element except for its ends.
  KOKKOS_INLINE_FUNCTION bool is_inner(int j, int k) const { return 0 < j && j < p && 0 < k && k < p; }
};

}  // namespace miniapp::space
