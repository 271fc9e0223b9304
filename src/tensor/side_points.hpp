// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/geometry/curved.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "space/conditions.hpp"

/// Functions at points of sides of hexahedra, on the host: there are few.
namespace miniapp::tensor {

using space::number_text, space::point_text;

/// Calls visit(side, point, area, value, x) at the points (b, a) of the product of `rule` with itself, a fastest, along
/// the two directions of each side, the lower first: `area` is the weight times the area that the point stands for
/// [m^2], `value` that of the function. All threads of the host compute, one visits, side after side.
template <class Visit>
void visit_side_points(const mesh::Mesh& mesh, const SideFunction& f, const basis::Rule& rule, const Visit& visit) {
  const int q = rule.size();
  const std::size_t points = std::size_t(q) * std::size_t(q);
  std::vector<double> x(f.sides.size() * points), y = x, z = x, areas = x, values = x;
  const HostRanges ranges(f.sides.size(), 64);
  ranges.for_each([&](int range) {
    for (std::size_t s = ranges.begin(range); s < ranges.end(range); ++s) {
      const mesh::CellSide& side = f.sides[s];
      const int axis = side.side / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
      const std::size_t begin = s * points;
      for (int point = 0; point < q * q; ++point) {
        double at[3], J[3][3], normal[3];
        at[axis] = side.side % 2 ? 1 : -1;
        at[first] = rule.points[point % q];
        at[second] = rule.points[point / q];
        mesh::Point to;
        geometry::map_at(mesh, static_cast<std::size_t>(side.cell), at, to, J);
        geometry::cross(J[first], J[second], normal);
        const std::size_t i = begin + static_cast<std::size_t>(point);
        x[i] = to[0];
        y[i] = to[1];
        z[i] = to[2];
        areas[i] = rule.weights[point % q] * rule.weights[point / q] * std::sqrt(geometry::dot(normal, normal));
      }
      f.function->evaluate(mesh.number(static_cast<std::size_t>(side.cell)), q * q, &x[begin], &y[begin], &z[begin],
                           &values[begin]);
    }
  });
  for (std::size_t i = 0; i < x.size(); ++i)
    visit(f.sides[i / points], static_cast<int>(i % points), areas[i], values[i], mesh::Point{x[i], y[i], z[i]});
}

/// (node, part of its sum), where a node may come several times.
using NodeParts = std::vector<std::pair<Index, double>>;

/// The sums of the parts of each node, nodes ascending.
inline NodeParts sum_by_node(NodeParts parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  NodeParts sums;
  for (const auto& [node, part] : parts) {
    if (sums.empty() || sums.back().first != node) sums.emplace_back(node, 0);
    sums.back().second += part;
  }
  return sums;
}

}  // namespace miniapp::tensor
