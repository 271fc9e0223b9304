// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "miniapp/basis/prism.hpp"
#include "miniapp/mesh/entities.hpp"
#include "space/cells.hpp"
#include "space/first_use.hpp"
#include "space/join.hpp"

namespace miniapp::space {
namespace {

constexpr mesh::Cell prism = mesh::cell(mesh::CellKind::prism);

/// What a node lies on: its vertex, edge or face.
mesh::Side entity_of(const basis::PrismNode& node) {
  switch (node.entity) {
    case basis::Entity::vertex:
      return {1, {node.index}};
    case basis::Entity::edge:
      return prism.edges[node.index];
    case basis::Entity::face:
      return prism.faces[node.index];
    default:
      return {};
  }
}

/// The faces of the cell that contain all vertices of an entity, as bits.
int faces_around(const mesh::Side& entity) {
  int bits = 0;
  for (int f = 0; f < prism.num_faces; ++f) {
    const mesh::Side& face = prism.faces[f];
    const auto has = [&](int vertex) {
      return std::find(face.vertices, face.vertices + face.size, vertex) < face.vertices + face.size;
    };
    if (entity.size > 0 && std::all_of(entity.vertices, entity.vertices + entity.size, has)) bits |= 1 << f;
  }
  return bits;
}

LocalNode describe(const basis::PrismNode& node) {
  const mesh::Side entity = entity_of(node);
  LocalNode result{entity.size, node.index, {}, {}, faces_around(entity)};
  std::copy_n(entity.vertices, 4, result.corners);
  // barycentric indices belong to vertices 0, 1, 2 and to those above them
  if (entity.size == 2) result.at[0] = node.index < 6 ? node.triangle[entity.vertices[1] % 3] : node.line;
  if (entity.size == 3)
    for (int c = 0; c < 3; ++c) result.at[c] = node.triangle[entity.vertices[c] % 3];
  if (entity.size == 4) {  // two along an edge of the triangle, then back above them
    std::swap(result.corners[2], result.corners[3]);
    result.at[0] = node.triangle[entity.vertices[1]];
    result.at[1] = node.line;
  }
  return result;
}

EntityKeys make_keys(const mesh::Mesh& mesh, int order, const mesh::Entities& edges, const mesh::Entities& faces,
                     const Vector<const Index>& vertices) {
  std::vector<LocalNode> local;
  for (const basis::PrismNode& node : basis::prism_nodes(order)) local.push_back(describe(node));
  const auto count = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  const std::int64_t inner = order - 1, inside = inner * inner * (order - 2) / 2 * count(mesh.num_elements()),
                     edge_base = count(mesh.vertices.size()), face_base = edge_base + inner * count(edges.size()),
                     end = face_base + inner * inner * count(faces.size());
  require_few_nodes(end + inside);
  return {order,
          to_device<LocalNode>("space/local nodes", local),
          prism.num_vertices,
          prism.num_edges,
          prism.num_faces,
          vertices,
          edges.of_cell,
          faces.of_cell,
          static_cast<Index>(edge_base),
          static_cast<Index>(face_base),
          static_cast<Index>(end)};
}

}  // namespace

Space make_space_of_prisms(const mesh::Mesh& mesh, int order, Boundary boundary, PartSurface& surface) {
  basis::require_prism_order(order);
  const bool masks = boundary == Boundary::dirichlet;
  const Vector<const Index> vertices = read_on_device("space/element to vertex", mesh.element_to_vertex.entries);
  const mesh::Entities edges = order > 1 ? mesh::find_edges(mesh, vertices) : mesh::Entities{};
  mesh::Entities faces = order > 1 || masks ? mesh::find_faces(mesh, vertices) : mesh::Entities{};
  find_surface(mesh, faces, masks, surface);
  const EntityKeys keys = make_keys(mesh, order, edges, faces, vertices);
  const Vector<char> on_surface = masks ? mark_surface(keys, faces.multiplicity) : Vector<char>{};
  return make_space_by_first_use(mesh, order, keys, on_surface);
}

}  // namespace miniapp::space
