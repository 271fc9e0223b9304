// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/user_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/agree.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/space/held.hpp"
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
  if (!(value > 0))
    throw InputError("coefficient", space::number_text(value),
                     "at " + space::point_text(x) + "; accepted are numbers above 0");
  return value;
}

double from_zero(const std::string& group, const Function& alpha, std::int64_t cell, const mesh::Point& x) {
  const double value = finite("robin", alpha, cell, x);
  if (!(value >= 0))
    throw InputError("robin", group,
                     fmt::format("alpha {}: at {}; accepted are numbers from 0 on", space::number_text(value),
                                 space::point_text(x)));
  return value;
}

mesh::Point centroid(const mesh::Mesh& mesh, std::size_t cell) {
  const int vertices = mesh::num_vertices(mesh.kind);
  mesh::Point mean{};
  for (int v = 0; v < vertices; ++v)
    for (int d = 0; d < 3; ++d) mean[d] += mesh.vertices[mesh.element_to_vertex[cell][v]][d] / vertices;
  return mean;
}

/// Values (node, entry), entry 0 kappa and 1 + c the component c of f.
std::vector<double> nodal_values(const UserProblem& problem, const mesh::Mesh& mesh, const space::Space& space) {
  std::vector<double> values;
  for (const mesh::Point& x : space::node_points(mesh, space)) {
    double kappa = 1;
    for (const Condition& term : problem.coefficient)
      if (term.group.empty() && !term.per_cell) kappa = positive(term.values.front(), 0, x);
    values.push_back(kappa);
    for (int c = 0; c < space.components; ++c)
      values.push_back(problem.source.empty() ? 0
                                              : finite("source", problem.source[static_cast<std::size_t>(c)], 0, x));
    for (const Function& f : problem.exact) finite("exact", f, 0, x);
  }
  return values;
}

std::vector<double> factors_of_cells(const UserProblem& problem, const mesh::Mesh& mesh) {
  std::vector<double> factors(mesh.num_elements(), 1);
  const auto set = [&](const Condition& term, std::size_t cell) {
    factors[cell] = positive(term.values.front(), mesh.number(cell), centroid(mesh, cell));
  };
  for (const Condition& term : problem.coefficient)
    if (!term.group.empty())
      for (const Index cell : space::require_group(mesh, "coefficient", term.group, mesh::dimension(mesh.kind)).cells)
        set(term, static_cast<std::size_t>(cell));
    else if (term.per_cell)
      for (std::size_t cell = 0; cell < factors.size(); ++cell) set(term, cell);
  return factors;
}

void prescribe(const Condition& term, const std::vector<mesh::CellSide>& sides, const mesh::Mesh& mesh,
               const space::Space& space, space::PrescribedValues& prescribed) {
  for (const mesh::CellSide& side : sides) {
    const mesh::Side& vertices = mesh::cell(mesh.kind).side(side.side);
    const auto cell = static_cast<std::size_t>(side.cell);
    for (int v = 0; v < vertices.size; ++v) {
      const mesh::Point& x = mesh.vertices[mesh.element_to_vertex[cell][vertices.vertices[v]]];
      const Index node = space.element_to_node.host()[cell][vertices.vertices[v]];
      for (int c = 0; c < space.components; ++c)
        if (const Function& f = term.values[static_cast<std::size_t>(c)])
          prescribed.set(term.group, node, c, f(0, x), x);
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
    data.at_sides.push_back(term.alpha ? from_zero(term.group, term.alpha, cell, points[i]) : 0);
    for (const Function& g : term.values) data.at_sides.push_back(finite(argument, g, cell, points[i]));
  }
}

/// Refuses alpha that is 0 everywhere. Collective.
void require_alpha(const std::vector<Condition>& robin, const Coefficients& data, const Communicator& ranks) {
  const std::size_t each = 1 + robin.front().values.size();
  double largest = 0;
  for (std::size_t i = 0; i < data.at_sides.size(); i += each) largest = std::max(largest, data.at_sides[i]);
  require(ranks.of_all(Reduction::max, largest) > 0, "robin", robin.front().group, space::no_alpha);
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
  if (problem.dirichlet.empty() && !problem.robin.empty()) require_alpha(problem.robin, result.data, mesh.part.ranks);
  prescribed.share(groups);
  result.prescribed = prescribed.values();
  result.natural = conditions.describe_rest();
  result.held = prescribed.held();
  space::hold(result.space, space::held_nodes(result.space, result.held));
  return result;
}

}  // namespace miniapp::weakform
