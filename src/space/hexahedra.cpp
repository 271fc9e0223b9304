// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "miniapp/mesh/entities.hpp"
#include "space/cells.hpp"
#include "space/join.hpp"
#include "space/numberer.hpp"

/// Three steps, each over all elements at once. Every node gets a key by its entity, on which the elements that share
/// it agree (node_keys.hpp). Elements are ordered along lines, which gives each of their local nodes a place in one
/// sequence (line_sequence.hpp). A node is identified by its first place in the sequence, and its number is the count
/// of first places before it (numberer.hpp).
namespace miniapp::space {

Space make_space_of_hexahedra(const mesh::Mesh& mesh, int order, Boundary boundary, PartSurface& surface) {
  const auto count = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  const Vector<const Index> of_element = read_on_device("space/element to vertex", mesh.element_to_vertex.entries);
  const mesh::Entities edges = order > 1 ? mesh::find_edges(mesh, of_element) : mesh::Entities{};
  mesh::Entities faces = mesh::find_faces(mesh, of_element);
  const std::int64_t elements = count(mesh.num_elements()), vertices = count(mesh.vertices.size());
  const std::int64_t total = count_nodes(vertices, count(edges.size()), count(faces.size()), elements, order);
  require_few_nodes(total);

  const int n = order + 1;
  const Index edge_base = static_cast<Index>(vertices),
              face_base = edge_base + static_cast<Index>(edges.size()) * (order - 1),
              end = face_base + static_cast<Index>(faces.size()) * (order - 1) * (order - 1);
  const NodeKeys keys{order, n, of_element, edges.of_cell, faces.of_cell, edge_base, face_base, end};
  const LineSequence sequence = find_line_sequence(of_element, faces, n * n);

  const bool masks = boundary == Boundary::dirichlet;
  find_surface(mesh, faces, masks, surface);
  Space space = make_unknowns(static_cast<Index>(total));
  space.kind = mesh.kind;
  space.order = order;
  const auto number_with = [&]<class Place>(const Vector<Index>& nodes, Place) {
    Numberer<Place> numberer(keys, sequence, nodes, space.num_nodes, masks);
    if (masks) numberer.mask_surface(faces.multiplicity);
    numberer.run();
    if (masks) space.masked = numberer.masked();
  };
  space.element_to_node = SharedMap(mesh.num_elements(), n * n * n, [&](const Vector<Index>& nodes) {
    if (nodes.extent(0) < std::numeric_limits<std::uint32_t>::max())
      number_with(nodes, std::uint32_t{});
    else
      number_with(nodes, std::uint64_t{});
  });
  return space;
}

}  // namespace miniapp::space
