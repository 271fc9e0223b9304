// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::test {

/// Each triangle into 4, each tetrahedron into 8, by the midpoints of edges; the octahedron inside a tetrahedron along
/// its shortest diagonal, so that cells do not become flat. Cells are right-handed if those of `coarse` are.
inline mesh::Mesh refine(const mesh::Mesh& coarse) {
  mesh::Mesh fine;
  fine.kind = coarse.kind;
  fine.vertices = coarse.vertices;
  std::map<std::pair<Index, Index>, Index> midpoints;
  for (std::size_t e = 0; e < coarse.num_elements(); ++e) {
    const auto corner = coarse.element_to_vertex[e];
    const auto mid = [&](int a, int b) {
      const auto [place, is_new] = midpoints.try_emplace(std::minmax<Index>(corner[a], corner[b]), 0);
      if (is_new) {
        place->second = static_cast<Index>(fine.vertices.size());
        mesh::Point middle;
        for (int d = 0; d < 3; ++d) middle[d] = (coarse.vertices[corner[a]][d] + coarse.vertices[corner[b]][d]) / 2;
        fine.vertices.push_back(middle);
      }
      return place->second;
    };
    const auto add = [&](const std::vector<Index>& cell) {
      fine.element_to_vertex.entries.insert(fine.element_to_vertex.entries.end(), cell.begin(), cell.end());
    };
    if (coarse.kind == mesh::CellKind::triangle) {
      const Index m01 = mid(0, 1), m12 = mid(1, 2), m02 = mid(0, 2);
      add({corner[0], m01, m02});
      add({m01, corner[1], m12});
      add({m02, m12, corner[2]});
      add({m01, m12, m02});
    } else {
      const Index m01 = mid(0, 1), m02 = mid(0, 2), m03 = mid(0, 3), m12 = mid(1, 2), m13 = mid(1, 3), m23 = mid(2, 3);
      add({corner[0], m01, m02, m03});
      add({m01, corner[1], m12, m13});
      add({m02, m12, corner[2], m23});
      add({m03, m13, m23, corner[3]});
      // of the octahedron left over: the ends of a diagonal, then the vertices around it
      const Index diagonals[3][6] = {
          {m01, m23, m02, m03, m13, m12}, {m02, m13, m01, m12, m23, m03}, {m03, m12, m01, m02, m23, m13}};
      const auto length = [&](const Index* diagonal) {
        const mesh::Point &x = fine.vertices[diagonal[0]], &y = fine.vertices[diagonal[1]];
        return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
      };
      const Index* shortest = diagonals[0];
      for (const auto& diagonal : diagonals)
        if (length(diagonal) < length(shortest)) shortest = diagonal;
      for (int i = 0; i < 4; ++i) add({shortest[0], shortest[1], shortest[2 + i], shortest[2 + (i + 1) % 4]});
    }
  }
  fine.element_to_vertex.arity = coarse.element_to_vertex.arity;
  return fine;
}

}  // namespace miniapp::test
