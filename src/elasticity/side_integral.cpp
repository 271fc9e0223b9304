// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/side_integral.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "elasticity/prism_numbers.hpp"
#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {
namespace {

/// A face of the reference prism: two tangents, whose cross product points outwards times `sign`, and a quadrature rule
/// whose weights are relative to these tangents.
struct Face {
  basis::PrismPoint tangents[2];
  double sign;
  std::vector<basis::PrismPoint> points;
  std::vector<double> weights;
  std::vector<double> values;  ///< (point, r)
};

void find_values(Face& face, int p) {
  std::vector<basis::TrianglePoint> in_triangle;
  std::vector<double> on_line;
  for (const auto& [x, y, z] : face.points) {
    in_triangle.push_back({x, y});
    on_line.push_back(z);
  }
  const basis::Matrix triangle = basis::triangle_tables(p, in_triangle).values;
  const basis::Matrix line = basis::lagrange_values(basis::gauss_lobatto(p + 1).points, on_line);
  for (int q = 0; q < static_cast<int>(face.points.size()); ++q)
    for (int k = 0; k <= p; ++k)
      for (int i = 0; i < basis::triangle_size(p); ++i) face.values.push_back(triangle(q, i) * line(q, k));
}

Face make_triangle(int p, int top) {
  const basis::TriangleRule rule = basis::triangle_rule(2 * std::min(p + 1, basis::largest_prism_order));
  Face face{{{1, 0, 0}, {0, 1, 0}}, top ? 1. : -1., {}, rule.weights, {}};
  for (const auto& [x, y] : rule.points) face.points.push_back({x, y, top ? 1. : -1.});
  find_values(face, p);
  return face;
}

/// The quadrilateral above the triangle's edge opposite vertex `side`.
Face make_quadrilateral(int p, int side) {
  constexpr double corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  const int from = (side + 1) % 3, to = (side + 2) % 3;
  const double dx = corner[to][0] - corner[from][0], dy = corner[to][1] - corner[from][1];
  const basis::Rule rule = basis::gauss(p + 2);
  Face face{{{dx, dy, 0}, {0, 0, 1}}, 1, {}, {}, {}};
  for (int j = 0; j < rule.size(); ++j)
    for (int i = 0; i < rule.size(); ++i) {
      const double a = 0.5 * (1 + rule.points[i]);
      face.points.push_back({corner[from][0] + a * dx, corner[from][1] + a * dy, rule.points[j]});
      face.weights.push_back(0.5 * rule.weights[i] * rule.weights[j]);
    }
  find_values(face, p);
  return face;
}

/// The cross product of the mapped tangents, outwards; its length is the area of their parallelogram [m^2].
mesh::Point normal_of(const Face& face, const double (&J)[3][3]) {
  double t[2][3] = {};
  for (int i = 0; i < 2; ++i)
    for (int d = 0; d < 3; ++d)
      for (int a = 0; a < 3; ++a) t[i][d] += J[d][a] * face.tangents[i][a];
  mesh::Point normal;
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    normal[d] = face.sign * (t[0][e] * t[1][f] - t[0][f] * t[1][e]);
  }
  return normal;
}

}  // namespace

std::vector<double> integrate_sides(const mesh::Mesh& mesh, const space::Space& space,
                                    const std::vector<mesh::CellSide>& sides, const SideVector& f) {
  require(mesh.kind == mesh::CellKind::prism, "a mesh of kind " + name(mesh.kind) + ": accepted are prisms");
  const int p = space.order, functions = basis::number_of_shape_functions(p);
  std::vector<Face> faces;  // in the order of mesh::cell
  for (int top = 0; top < 2; ++top) faces.push_back(make_triangle(p, top));
  for (int side = 0; side < 3; ++side) faces.push_back(make_quadrilateral(p, side));
  std::vector<double> sums(3 * std::size_t(space.num_nodes), 0);
  for (const mesh::CellSide& side : sides) {
    const auto e = static_cast<std::size_t>(side.cell);
    const Face& face = faces[side.side];
    const PrismNumbers vertices = vertices_of(mesh, e);
    const Index* const nodes = space.element_to_node.host()[e];
    for (std::size_t q = 0; q < face.points.size(); ++q) {
      const auto [r, s, t] = face.points[q];
      double x[3], J[3][3];
      geometry::prism_point(vertices.data(), r, s, t, x);
      geometry::prism_jacobian(vertices.data(), r, s, t, J);
      mesh::Point n = normal_of(face, J);
      const double area = std::hypot(n[0], n[1], n[2]);
      for (double& component : n) component /= area;
      const mesh::Point value = f(e, {x[0], x[1], x[2]}, n);
      for (int i = 0; i < functions; ++i)
        for (int c = 0; c < 3; ++c)
          sums[3 * std::size_t(nodes[i] < 0 ? ~nodes[i] : nodes[i]) + c] +=
              face.weights[q] * area * value[c] * face.values[q * functions + i];
    }
  }
  return sums;
}

}  // namespace miniapp::elasticity
