// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/prism.hpp"

#include <algorithm>
#include <string>

#include "miniapp/core/error.hpp"

namespace miniapp::basis {
namespace {

PrismNode place(int p, const TriangleLattice& a, int line) {
  const bool end = line == 0 || line == p;
  const int top = line == p, zeros = static_cast<int>(std::count(a.begin(), a.end(), 0));
  const int vertex = static_cast<int>(std::max_element(a.begin(), a.end()) - a.begin());  // if two indices are zero
  const int edge = static_cast<int>(std::find(a.begin(), a.end(), 0) - a.begin());        // if one is
  if (zeros == 2)
    return end ? PrismNode{a, line, Entity::vertex, vertex + 3 * top} : PrismNode{a, line, Entity::edge, 6 + vertex};
  if (zeros == 1)
    return end ? PrismNode{a, line, Entity::edge, edge + 3 * top} : PrismNode{a, line, Entity::face, 2 + edge};
  return end ? PrismNode{a, line, Entity::face, top} : PrismNode{a, line, Entity::inside, 0};
}

void fill(PrismTables& tables) {
  const int triangle_points = tables.triangle_rule.size(), triangle_functions = triangle_size(tables.order);
  const std::size_t size = std::size_t(tables.num_points) * tables.num_functions;
  tables.values.resize(size);
  tables.derivatives.resize(3 * size);
  for (int q = 0; q < tables.num_points; ++q) {
    const int ql = q / triangle_points, qt = q % triangle_points;
    const auto [x, y] = tables.triangle_rule.points[qt];
    tables.points.push_back({x, y, tables.line_rule.points[ql]});
    tables.weights.push_back(tables.triangle_rule.weights[qt] * tables.line_rule.weights[ql]);
    for (int r = 0; r < tables.num_functions; ++r) {
      const int k = r / triangle_functions, i = r % triangle_functions;
      const std::size_t at = std::size_t(q) * tables.num_functions + r;
      const double line = tables.line_values(ql, k), triangle = tables.triangle.values(qt, i);
      tables.values[at] = triangle * line;
      tables.derivatives[at] = tables.triangle.x_derivatives(qt, i) * line;
      tables.derivatives[size + at] = tables.triangle.y_derivatives(qt, i) * line;
      tables.derivatives[2 * size + at] = triangle * tables.line_derivatives(ql, k);
    }
  }
}

}  // namespace

void require_prism_order(int p) {
  require(p >= 1 && p <= largest_prism_order,
          "prism of order " + std::to_string(p) + ": accepted are 1.." + std::to_string(largest_prism_order));
}

std::vector<PrismNode> prism_nodes(int p) {
  require_prism_order(p);
  std::vector<PrismNode> nodes;
  for (int line = 0; line <= p; ++line)
    for (const TriangleLattice& a : triangle_lattice(p)) nodes.push_back(place(p, a, line));
  return nodes;
}

std::vector<PrismPoint> prism_node_points(int p) {
  require_prism_order(p);
  std::vector<PrismPoint> points;
  for (const double z : gauss_lobatto(p + 1).points)
    for (const auto& [x, y] : triangle_nodes(p)) points.push_back({x, y, z});
  return points;
}

PrismTables make_prism_tables(int p) {
  require_prism_order(p);
  const TriangleRule on_triangle = triangle_rule(2 * p);
  const Rule on_line = gauss(p + 1);
  const std::vector<double> line_nodes = gauss_lobatto(p + 1).points;
  PrismTables tables{p,
                     number_of_shape_functions(p),
                     on_triangle.size() * on_line.size(),
                     on_triangle,
                     on_line,
                     triangle_tables(p, on_triangle.points),
                     lagrange_values(line_nodes, on_line.points),
                     lagrange_derivatives(line_nodes, on_line.points),
                     {},
                     {},
                     {},
                     {}};
  fill(tables);
  return tables;
}

}  // namespace miniapp::basis
