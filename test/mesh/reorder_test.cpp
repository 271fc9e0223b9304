// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/reorder.hpp"

#include "support/all_close.hpp"
#include "support/meshes.hpp"

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

TEST_CASE("An order on the device makes the same mesh as one on the host, with its groups", "[mesh][reorder]") {
  mesh::Mesh mesh = make_turned_box(2, 1, 3);
  const std::vector<Index> order{3, 0, 5, 1, 4, 2};
  mesh.part.elements = {10, 11, 12, 13, 14, 15};
  if (GENERATE(false, true)) mesh.groups = {{"ends", 2, {}, {{2, 0}, {4, 1}}}};
  const mesh::Mesh expected = mesh::reorder(mesh, order);

  const mesh::Mesh reordered =
      mesh::reorder(mesh, to_device("elements", mesh.element_to_vertex.entries), to_device("order", order));

  CHECK(reordered.vertices == expected.vertices);
  CHECK(reordered.kind == expected.kind);
  CHECK(reordered.element_to_vertex.entries == expected.element_to_vertex.entries);
  CHECK(reordered.part.elements == std::vector<std::int64_t>{13, 10, 15, 11, 14, 12});
  REQUIRE(reordered.groups.size() == mesh.groups.size());
  for (std::size_t g = 0; g < mesh.groups.size(); ++g) CHECK(reordered.groups[g].sides == expected.groups[g].sides);
}
