// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/coefficients.hpp"

#include "miniapp/core/error.hpp"
#include "miniapp/weakform/detail/integrals.hpp"
#include "space/conditions.hpp"

namespace miniapp::weakform {
namespace {

template <int dim>
mesh::Point point_of(const mesh::Mesh& mesh, const mesh::CellSide& side, int q) {
  const mesh::Side& vertices = mesh::cell(mesh.kind).side(side.side);
  mesh::Point x{};
  for (int v = 0; v < dim; ++v) {
    const mesh::Point& vertex =
        mesh.vertices[mesh.element_to_vertex[static_cast<std::size_t>(side.cell)][vertices.vertices[v]]];
    for (int d = 0; d < 3; ++d) x[d] += detail::side_point<dim>(q, v) * vertex[d];
  }
  return x;
}

}  // namespace

std::vector<mesh::Point> side_points(const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& sides) {
  detail::require_sides(mesh, sides);
  const int dim = mesh::dimension(mesh.kind);
  std::vector<mesh::Point> points;
  for (const mesh::CellSide& side : sides)
    for (int q = 0; q < dim; ++q) points.push_back(dim == 2 ? point_of<2>(mesh, side, q) : point_of<3>(mesh, side, q));
  return points;
}

const std::vector<mesh::CellSide>& sides_of(const mesh::Mesh& mesh, const std::string& group) {
  return space::require_group(mesh, "group", group, mesh::dimension(mesh.kind) - 1).sides;
}

void detail::require_sides(const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& sides) {
  require(mesh.kind == mesh::CellKind::triangle || mesh.kind == mesh::CellKind::tetrahedron,
          "sides of a mesh of kind " + name(mesh.kind) + ": accepted are triangles and tetrahedra");
  for (const mesh::CellSide& side : sides)
    if (side.cell < 0 || static_cast<std::size_t>(side.cell) >= mesh.num_elements() || side.side < 0 ||
        side.side >= mesh::cell(mesh.kind).num_sides())
      throw InputError("side " + std::to_string(side.side) + " of cell " + std::to_string(side.cell) +
                       ": accepted are 0 to " + std::to_string(mesh::cell(mesh.kind).num_sides() - 1) +
                       " of the mesh's " + std::to_string(mesh.num_elements()) + " cells");
}

template <int dim>
std::vector<detail::SideIds<dim>> detail::make_side_ids(const space::Space& space,
                                                        const std::vector<mesh::CellSide>& sides) {
  std::vector<SideIds<dim>> result;
  for (const mesh::CellSide& side : sides) {
    const mesh::Side& vertices = mesh::cell(space.kind).side(side.side);
    SideIds<dim>& ids = result.emplace_back();
    ids.cell = side.cell;
    for (int v = 0; v < dim; ++v)
      ids.node[v] = space.element_to_node.host()[static_cast<std::size_t>(side.cell)][vertices.vertices[v]];
  }
  return result;
}
template std::vector<detail::SideIds<2>> detail::make_side_ids(const space::Space&, const std::vector<mesh::CellSide>&);
template std::vector<detail::SideIds<3>> detail::make_side_ids(const space::Space&, const std::vector<mesh::CellSide>&);

}  // namespace miniapp::weakform
