// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/user_problem.hpp"

#include <algorithm>
#include <utility>

#include "core/agree.hpp"
#include "miniapp/core/error.hpp"
#include "space/conditions.hpp"

namespace miniapp::weakform {
namespace {

void require_components(const std::string& argument, const std::vector<Function>& values, int components) {
  require(values.size() == static_cast<std::size_t>(components), argument, std::to_string(values.size()) + " values",
          "accepted are " + std::to_string(components) + ", one per component");
}

double finite(const std::string& argument, const Function& f, std::int64_t cell, const mesh::Point& x) {
  const double value = f(cell, x);
  space::require_finite(argument, value, x);
  return value;
}
double positive(const Function& f, std::int64_t cell, const mesh::Point& x) {
  const double value = finite("coefficient", f, cell, x);
  require(value > 0, "coefficient", space::number_text(value),
          "at " + space::point_text(x) + "; accepted are numbers above 0");
  return value;
}

mesh::Point centroid(const mesh::Mesh& mesh, std::size_t cell) {
  const int vertices = mesh::num_vertices(mesh.kind);
  mesh::Point mean{};
  for (int v = 0; v < vertices; ++v)
    for (int d = 0; d < 3; ++d) mean[d] += mesh.vertices[mesh.element_to_vertex[cell][v]][d] / vertices;
  return mean;
}

/// (node, 1 + component): kappa, then f. A node takes those of the last of its cells.
std::vector<double> nodal_values(const UserProblem& problem, const mesh::Mesh& mesh, const space::Space& space) {
  const int width = 1 + space.components;
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  std::vector<double> values(static_cast<std::size_t>(space.num_nodes) * width, 0);
  for (std::size_t i = 0; i < values.size(); i += width) values[i] = 1;
  for (std::size_t cell = 0; cell < mesh.num_elements(); ++cell)
    for (int v = 0; v < mesh::num_vertices(mesh.kind); ++v) {
      const Index node = space.element_to_node.host()[cell][v];
      const auto at = static_cast<std::size_t>(node < 0 ? ~node : node);
      const auto evaluate = [&](const std::string& what, const Function& f) {
        return finite(what, f, mesh.number(cell), points[at]);
      };
      for (const Condition& term : problem.coefficient)
        if (term.group.empty()) values[at * width] = positive(term.values.front(), mesh.number(cell), points[at]);
      for (std::size_t c = 0; c < problem.source.size(); ++c)
        values[at * width + 1 + c] = evaluate("source", problem.source[c]);
    }
  return values;
}

std::vector<double> factors_of_cells(const UserProblem& problem, const mesh::Mesh& mesh) {
  std::vector<double> factors(mesh.num_elements(), 1);
  for (const Condition& term : problem.coefficient)
    if (!term.group.empty())
      for (const Index cell : space::require_group(mesh, "coefficient", term.group, mesh::dimension(mesh.kind)).cells) {
        const auto at = static_cast<std::size_t>(cell);
        factors[at] = positive(term.values.front(), mesh.number(at), centroid(mesh, at));
      }
  return factors;
}

void prescribe(const Condition& term, const std::vector<mesh::CellSide>& sides, const mesh::Mesh& mesh,
               const space::Space& space, space::PrescribedValues& prescribed) {
  for (const mesh::CellSide& side : sides) {
    const mesh::Side& vertices = mesh::cell(mesh.kind).side(side.side);
    const auto cell = static_cast<std::size_t>(side.cell);
    for (int v = 0; v < vertices.size; ++v) {
      const mesh::Point& x = mesh.vertices[mesh.element_to_vertex[cell][vertices.vertices[v]]];
      std::vector<double> values;
      for (const Function& f : term.values) values.push_back(f(mesh.number(cell), x));
      prescribed.set(term.group, space.element_to_node.host()[cell][vertices.vertices[v]], values, x);
    }
  }
}

/// Adds sides with (alpha, g) at their points.
void add_natural(const std::string& argument, const Condition& term, const std::vector<mesh::CellSide>& sides,
                 const mesh::Mesh& mesh, Coefficients& data) {
  const std::vector<mesh::Point> points = side_points(mesh, sides);
  const std::size_t each = sides.empty() ? 1 : points.size() / sides.size();
  data.sides.insert(data.sides.end(), sides.begin(), sides.end());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int64_t cell = mesh.number(static_cast<std::size_t>(sides[i / each].cell));
    data.at_sides.push_back(term.alpha ? finite(argument, term.alpha, cell, points[i]) : 0);
    for (const Function& g : term.values) data.at_sides.push_back(finite(argument, g, cell, points[i]));
  }
}

}  // namespace

PreparedForm prepare(const UserProblem& problem, const mesh::Mesh& mesh, int components) {
  PreparedForm result;
  result.exact = problem.exact;
  result.space = space::make_space(mesh, 1, components, space::Boundary::neumann, Layout::aos);
  space::Conditions conditions(mesh);
  space::PrescribedValues prescribed(result.space);
  std::vector<std::string> groups;
  agree(mesh.part.ranks, [&] {
    if (!problem.source.empty()) require_components("source", problem.source, components);
    if (!problem.exact.empty()) require_components("exact", problem.exact, components);
    for (const Condition& term : problem.coefficient) require_components("coefficient", term.values, 1);
    result.data.nodal = nodal_values(problem, mesh, result.space);
    result.data.cells = factors_of_cells(problem, mesh);
    for (const Condition& term : problem.dirichlet) {
      require_components("dirichlet", term.values, components);
      groups.push_back(term.group);
      prescribe(term, conditions.take("dirichlet", term.group), mesh, result.space, prescribed);
    }
    for (const auto& [argument, terms] : {std::pair{"neumann", &problem.neumann}, {"robin", &problem.robin}})
      for (const Condition& term : *terms) {
        require_components(argument, term.values, components);
        add_natural(argument, term, conditions.take(argument, term.group), mesh, result.data);
      }
  });
  prescribed.share(groups);
  result.prescribed = prescribed.values();
  result.natural = conditions.describe_rest();
  space::hold(result.space, prescribed.held());
  return result;
}

}  // namespace miniapp::weakform
