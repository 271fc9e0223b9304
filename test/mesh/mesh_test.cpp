// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/mesh.hpp"

#include "support/all_close.hpp"
#include "support/meshes.hpp"

TEST_CASE("The trilinear map takes corners to vertices", "[mesh][trilinear]") {
  const mesh::Mesh mesh = make_turned_box(3, 2, 5);

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Trilinear c = mesh::trilinear(mesh, e);
    for (int v = 0; v < 8; ++v) {
      const mesh::Point x = evaluate(c, v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1);
      CHECK(distance(x, mesh.vertices[mesh.element_to_vertex[e][v]]) <= tolerance<double>(8, 5));
    }
  }
}

TEST_CASE("The trilinear map of a box is affine: its size and its centre", "[mesh][trilinear]") {
  const mesh::Mesh mesh = mesh::make_box(4, 2, 1);

  const mesh::Trilinear c = mesh::trilinear(mesh, 0);

  CHECK(c[0] == mesh::Point{0.125, 0.25, 0.5});
  CHECK(c[1] == mesh::Point{0.125, 0, 0});
  CHECK(c[2] == mesh::Point{0, 0.25, 0});
  CHECK(c[4] == mesh::Point{0, 0, 0.5});
  for (const int q : {3, 5, 6, 7}) CHECK(c[q] == mesh::Point{0, 0, 0});
}
