// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/generate.hpp"

namespace miniapp::test {

/// A box whose cells are cut into six tetrahedra each, turned at random.
inline mesh::Mesh make_tetrahedra(int nx, int ny, int nz) {
  mesh::Mesh mesh = mesh::make_tetrahedron_box(nx, ny, nz);
  mesh::rotate_elements(mesh, 5);
  return mesh;
}

}  // namespace miniapp::test
