// SPDX-License-Identifier: BSD-3-Clause
/// What all instances of Residual have in common.
#include "miniapp/weakform/residual.hpp"

namespace miniapp::weakform::detail {

namespace {

/// Refuses a list of another number of values than `each` per item; where `each` is 0, any values.
void require_values(std::size_t values, int each, std::size_t items, const std::string& what) {
  const std::size_t accepted = items * static_cast<std::size_t>(each);
  require(values == accepted, std::to_string(values) + " coefficients" + what + ": accepted are " +
                                  std::to_string(accepted) + ", " + (each == 1 ? "one" : std::to_string(each)) +
                                  " per " +
                                  (what.empty()          ? "node"
                                   : what == " of cells" ? "cell"
                                                         : "point of a side"));
}

}  // namespace

void require_fit(int dim, int components, const mesh::Mesh& mesh, const space::Space& space,
                 const CoefficientCounts& counts, const Coefficients& data, int block_size) {
  const mesh::CellKind kind = dim == 2 ? mesh::CellKind::triangle : mesh::CellKind::tetrahedron;
  require(mesh.kind == kind, "a mesh of kind " + name(mesh.kind) + ": a form of " + std::to_string(dim) +
                                 " dimensions accepts " + mesh::cell(kind).names);
  require(space.kind == kind && space.element_to_node.size() == mesh.num_elements(),
          "a space of " + std::to_string(space.element_to_node.size()) + " elements: accepted is one of the mesh's " +
              std::to_string(mesh.num_elements()));
  require(space.components == components && (space.layout == Layout::aos || components == 1),
          "a space of " + std::to_string(space.components) + " components, layout " + name(space.layout) +
              ": accepted are " + std::to_string(components) + ", layout aos");
  const std::size_t sides = data.sides.size();
  require_values(data.nodal.size(), counts.nodal, static_cast<std::size_t>(space.num_nodes), "");
  require_values(data.cells.size(), counts.cells, mesh.num_elements(), " of cells");
  require_values(data.at_sides.size(), counts.sides, sides * static_cast<std::size_t>(dim), " of sides");
  require(counts.has_b0 || sides == 0, std::to_string(sides) + " sides for a form without b0: accepted are none");
  require_sides(mesh, data.sides);
  require(block_size >= 1, "block_size", block_size, "accepted are 1 and more");
}

void require_strategy(Strategy strategy, bool has_all, bool has_fans) {
  if (is_loop(strategy)) return;
  require(has_all, "strategy", name(strategy),
          "of a form that has not all strategies; accepted are reference, cells, tiles, owner");
  require(has_fans || strategy != Strategy::fans, "strategy", "fans",
          "of a form with coefficients of cells; accepted are the other strategies");
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
                                const std::vector<double>& nodal) {
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  const auto nodes = static_cast<std::size_t>(space.num_nodes), each = nodes == 0 ? 0 : nodal.size() / nodes;
  std::vector<Real> vertices;
  vertices.reserve(nodes * (static_cast<std::size_t>(dim) + each));
  for (std::size_t i = 0; i < nodes; ++i) {
    for (int d = 0; d < dim; ++d) vertices.push_back(static_cast<Real>(points[i][d]));
    for (std::size_t k = 0; k < each; ++k) vertices.push_back(static_cast<Real>(nodal[i * each + k]));
  }
  return vertices;
}

template std::vector<double> make_vertices(int, const mesh::Mesh&, const space::Space&, const std::vector<double>&);
template std::vector<float> make_vertices(int, const mesh::Mesh&, const space::Space&, const std::vector<double>&);

}  // namespace miniapp::weakform::detail
