// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/reorder.hpp"

#include <algorithm>

#include "support/all_close.hpp"
#include "support/meshes.hpp"

using namespace miniapp;
using namespace miniapp::test;

TEST_CASE("Reordering moves each element to its place and changes nothing else", "[mesh][reorder]") {
  const mesh::Mesh mesh = make_turned_box(2, 1, 3);
  const std::vector<Index> order{3, 0, 5, 1, 4, 2};

  const mesh::Mesh reordered = mesh::reorder(mesh, order);

  CHECK(reordered.vertices == mesh.vertices);
  CHECK(reordered.kind == mesh.kind);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    CHECK(std::equal(mesh.element_to_vertex[order[e]], mesh.element_to_vertex[order[e]] + 8,
                     reordered.element_to_vertex[e]));
}
