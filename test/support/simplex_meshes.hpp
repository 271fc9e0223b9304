// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/generate_2d.hpp"
#include "support/tetrahedra.hpp"
#include "support/vectors.hpp"

namespace miniapp::test {

/// Triangles of the unit square, or tetrahedra of the unit cube, turned at random, distorted and shuffled.
inline mesh::Mesh make_simplices(int dim, int n) {
  mesh::Mesh mesh =
      dim == 2 ? mesh::make_rectangle(mesh::CellKind::triangle, n + 2, n) : make_tetrahedra(n, n + 1, n - 1);
  mesh::rotate_elements(mesh, 4);
  mesh::perturb(mesh, 0.12, 3);
  return mesh::shuffle(mesh, 7);
}

}  // namespace miniapp::test
