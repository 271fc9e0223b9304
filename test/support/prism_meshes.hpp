// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/meshes.hpp"

namespace miniapp::test {

/// The vertices (vertex, d) of a prism of a mesh [m].
inline std::vector<double> prism_vertices(const mesh::Mesh& mesh, std::size_t element) {
  std::vector<double> vertices;
  for (int v = 0; v < 6; ++v) {
    const mesh::Point& x = mesh.vertices[mesh.element_to_vertex[element][v]];
    vertices.insert(vertices.end(), x.begin(), x.end());
  }
  return vertices;
}

/// A box of unit cubes, halved into prisms, whose vertices are moved at random by up to 10 %, turned at random,
/// elements and vertices in random order.
inline mesh::Mesh make_shaken_prisms(int nx, int ny, int nz, unsigned seed = 1) {
  mesh::Mesh mesh = mesh::make_prism_box(nx, ny, nz);
  for (mesh::Point& x : mesh.vertices) x = {x[0] * nx, x[1] * ny, x[2] * nz};
  shake(mesh, 0.1, seed);
  mesh::rotate_elements(mesh, seed);
  return mesh::shuffle(mesh, seed);
}

/// Two prisms that share a quadrilateral in which the lines of one run across those of the other.
inline mesh::Mesh make_crossed_prisms() {
  mesh::Mesh mesh{{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {-1, 0.5, 0}, {-1, 0.5, 1}, {1, 0, 0.5}, {1, 1, 0.5}},
                  Map(2, 6),
                  mesh::CellKind::prism};
  mesh.element_to_vertex.entries = {4, 0, 1, 5, 2, 3, 0, 2, 6, 1, 3, 7};
  return mesh;
}

}  // namespace miniapp::test
