// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/mesh/generate.hpp"

namespace miniapp::test {

/// A box whose cells are cut into six tetrahedra each along the diagonal from vertex 0 to 7 (Kuhn), turned at random.
inline mesh::Mesh make_tetrahedra(int nx, int ny, int nz) {
  const mesh::Mesh box = mesh::make_box(nx, ny, nz);
  mesh::Mesh mesh{box.vertices, Map(6 * box.num_elements(), 4), mesh::CellKind::tetrahedron};
  auto to = mesh.element_to_vertex.entries.begin();
  for (std::size_t e = 0; e < box.num_elements(); ++e) {
    const Index* const v = box.element_to_vertex[e];
    int axes[3] = {0, 1, 2};
    do {
      const int first = 1 << axes[0], second = first | 1 << axes[1];
      const bool even = (axes[1] - axes[0] + 3) % 3 == 1;  // r, s, t in cyclic order
      for (const int corner : {0, even ? first : second, even ? second : first, 7}) *to++ = v[corner];
    } while (std::next_permutation(axes, axes + 3));
  }
  mesh::rotate_elements(mesh, 5);
  return mesh;
}

}  // namespace miniapp::test
