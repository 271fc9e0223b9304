// SPDX-License-Identifier: BSD-3-Clause
/// What all instances of Residual have in common.
#include "miniapp/weakform/residual.hpp"

namespace miniapp::weakform::detail {

void require_fit(int dim, int components, const mesh::Mesh& mesh, const space::Space& space, std::size_t coefficients,
                 int block_size) {
  const mesh::CellKind kind = dim == 2 ? mesh::CellKind::triangle : mesh::CellKind::tetrahedron;
  require(mesh.kind == kind, "a mesh of kind " + name(mesh.kind) + ": a form of " + std::to_string(dim) +
                                 " dimensions accepts " + mesh::cell(kind).names);
  require(space.kind == kind && space.element_to_node.size() == mesh.num_elements(),
          "a space of " + std::to_string(space.element_to_node.size()) + " elements: accepted is one of the mesh's " +
              std::to_string(mesh.num_elements()));
  require(space.components == components && (space.layout == Layout::aos || components == 1),
          "a space of " + std::to_string(space.components) + " components, layout " + name(space.layout) +
              ": accepted are " + std::to_string(components) + ", layout aos");
  require(coefficients == std::size_t(space.num_nodes), std::to_string(coefficients) + " coefficients: accepted are " +
                                                            std::to_string(space.num_nodes) + ", one per node");
  require(block_size >= 1, "block_size", block_size, "accepted are 1 and more");
}

void require_entries(std::size_t entries, std::size_t accepted) {
  require(entries == accepted,
          "a vector of " + std::to_string(entries) + " entries: accepted are " + std::to_string(accepted));
}

void require_no_cell(std::int64_t cell, std::size_t cells) {
  require(cell >= static_cast<std::int64_t>(cells),
          "element " + std::to_string(cell) + ": f0 or f1 of the form is not a finite number there");
}

template <class Real>
std::vector<Real> make_vertices(int dim, const mesh::Mesh& mesh, const space::Space& space,
                                const std::vector<double>& kappa) {
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  std::vector<Real> vertices;
  vertices.reserve(std::size_t(space.num_nodes) * static_cast<std::size_t>(dim + 1));
  for (Index i = 0; i < space.num_nodes; ++i) {
    for (int d = 0; d < dim; ++d) vertices.push_back(static_cast<Real>(points[i][d]));
    vertices.push_back(static_cast<Real>(kappa[i]));
  }
  return vertices;
}

template std::vector<double> make_vertices(int, const mesh::Mesh&, const space::Space&, const std::vector<double>&);
template std::vector<float> make_vertices(int, const mesh::Mesh&, const space::Space&, const std::vector<double>&);

}  // namespace miniapp::weakform::detail
