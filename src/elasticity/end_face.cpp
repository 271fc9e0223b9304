// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/end_face.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {
namespace {

/// A face of the reference prism: its vertices, two tangents, and a quadrature rule whose weights are relative to these
/// tangents.
struct Face {
  std::vector<int> vertices;
  basis::PrismPoint tangents[2];
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
  Face face{{3 * top, 3 * top + 1, 3 * top + 2}, {{1, 0, 0}, {0, 1, 0}}, {}, rule.weights, {}};
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
  Face face{{from, to, from + 3, to + 3}, {{dx, dy, 0}, {0, 0, 1}}, {}, {}, {}};
  for (int j = 0; j < rule.size(); ++j)
    for (int i = 0; i < rule.size(); ++i) {
      const double a = 0.5 * (1 + rule.points[i]);
      face.points.push_back({corner[from][0] + a * dx, corner[from][1] + a * dy, rule.points[j]});
      face.weights.push_back(0.5 * rule.weights[i] * rule.weights[j]);
    }
  find_values(face, p);
  return face;
}

/// Area of the parallelogram spanned by the mapped tangents of a face [m^2].
double stretch(const Face& face, const double (&J)[3][3]) {
  double t[2][3] = {}, square = 0;
  for (int i = 0; i < 2; ++i)
    for (int d = 0; d < 3; ++d)
      for (int a = 0; a < 3; ++a) t[i][d] += J[d][a] * face.tangents[i][a];
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    square += std::pow(t[0][e] * t[1][f] - t[0][f] * t[1][e], 2);
  }
  return std::sqrt(square);
}

void add_face(const Face& face, const double* vertices, const EndFunction& f, const Index* nodes, int functions,
              std::vector<double>& sums) {
  for (std::size_t q = 0; q < face.points.size(); ++q) {
    const auto [r, s, t] = face.points[q];
    double x[3], J[3][3];
    geometry::prism_point(vertices, r, s, t, x);
    geometry::prism_jacobian(vertices, r, s, t, J);
    const double value = f(x[1], x[2]) * face.weights[q] * stretch(face, J);
    for (int i = 0; i < functions; ++i)
      sums[nodes[i] < 0 ? ~nodes[i] : nodes[i]] += value * face.values[q * functions + i];
  }
}

}  // namespace

std::vector<double> integrate_end(const mesh::Mesh& mesh, const space::Space& space, double x, double near,
                                  const EndFunction& f) {
  const int p = space.order, functions = basis::number_of_shape_functions(p);
  std::vector<Face> faces;
  for (int top = 0; top < 2; ++top) faces.push_back(make_triangle(p, top));
  for (int side = 0; side < 3; ++side) faces.push_back(make_quadrilateral(p, side));
  std::vector<double> sums(space.num_nodes, 0);
  bool found = false;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    double vertices[geometry::prism_numbers];
    for (int i = 0; i < geometry::prism_numbers; ++i)
      vertices[i] = mesh.vertices[mesh.element_to_vertex[e][i / 3]][i % 3];
    for (const Face& face : faces) {
      const auto in_plane = [&](int v) { return std::fabs(vertices[3 * v] - x) <= near; };
      if (!std::all_of(face.vertices.begin(), face.vertices.end(), in_plane)) continue;
      add_face(face, vertices, f, space.element_to_node.host()[e], functions, sums);
      found = true;
    }
  }
  require(mesh.part.ranks.of_all(Reduction::max, std::int64_t(found)) > 0,
          "no face of the mesh lies in the plane x = " + std::to_string(x));
  return sums;
}

}  // namespace miniapp::elasticity
