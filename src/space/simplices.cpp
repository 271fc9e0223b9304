// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/mesh/entities.hpp"
#include "space/cells.hpp"
#include "space/first_use.hpp"
#include "space/join.hpp"

namespace miniapp::space {
namespace {

/// The nodes of a linear simplex: its vertices, each with the sides that meet there.
std::vector<LocalNode> local_nodes(const mesh::Cell& cell) {
  std::vector<LocalNode> nodes;
  for (int v = 0; v < cell.num_vertices; ++v) {
    int sides = 0;
    for (int s = 0; s < cell.num_sides(); ++s) {
      const mesh::Side& side = cell.side(s);
      if (std::find(side.vertices, side.vertices + side.size, v) < side.vertices + side.size) sides |= 1 << s;
    }
    nodes.push_back({1, v, {v}, {}, sides});
  }
  return nodes;
}

}  // namespace

Space make_space_of_simplices(const mesh::Mesh& mesh, int order, Boundary boundary, PartSurface& surface) {
  const mesh::Cell& cell = mesh::cell(mesh.kind);
  require(order == 1, "order", std::to_string(order) + " of " + cell.names, "accepted is 1");
  const bool masks = boundary == Boundary::dirichlet, plane = cell.dimension == 2;
  const Vector<const Index> vertices = read_on_device("space/element to vertex", mesh.element_to_vertex.entries);
  mesh::Entities sides = !masks  ? mesh::Entities{}
                         : plane ? mesh::find_edges(mesh, vertices)
                                 : mesh::find_faces(mesh, vertices);
  find_surface(mesh, sides, masks, surface);
  require_few_nodes(static_cast<std::int64_t>(mesh.vertices.size()));
  const auto end = static_cast<Index>(mesh.vertices.size());
  const EntityKeys keys{order,
                        to_device<LocalNode>("space/local nodes", local_nodes(cell)),
                        cell.num_vertices,
                        0,
                        cell.num_sides(),
                        vertices,
                        {},
                        sides.of_cell,
                        end,
                        end,
                        end};
  const Vector<char> on_surface = masks ? mark_surface(keys, sides.multiplicity) : Vector<char>{};
  return make_space_by_first_use(mesh, order, keys, on_surface);
}

}  // namespace miniapp::space
