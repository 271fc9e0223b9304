// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "miniapp/basis/quadrature.hpp"
#include "miniapp/basis/triangle.hpp"

/// Nodal basis of the reference prism {x, y >= 0, x + y <= 1} x {-1 <= z <= 1}, whose volume is 1: products of
/// complete polynomials of degree p on the triangle and polynomials of degree p on the line.
/// Vertices: 0, 1, 2 at (0, 0), (1, 0), (0, 1) with z = -1; 3, 4, 5 above them with z = 1.
namespace miniapp::basis {

inline constexpr int largest_prism_order = 7;  // that of the largest triangle rule

/// (p + 1)^2 (p + 2) / 2 = 6, 18, 40, 75, 126, 196, 288.
constexpr int number_of_shape_functions(int p) { return (p + 1) * triangle_size(p); }

/// Errors: p outside 1 .. 7 (InputError).
void require_prism_order(int p);

/// Points of the rule that make_prism_tables() takes: 6, 18, 48, 80, 150, 231, 336 for p = 1 .. 7.
constexpr int number_of_points(int p) {
  constexpr int in_triangle[] = {3, 6, 12, 16, 25, 33, 42};
  if (p < 1 || p > largest_prism_order) require_prism_order(p);
  return (p + 1) * in_triangle[p - 1];
}

/// A point (x, y, z) of the reference prism.
using PrismPoint = std::array<double, 3>;

/// What a node belongs to; neighbours share the nodes of vertices, edges and faces.
enum class Entity {
  vertex,  ///< 0 .. 5
  edge,    ///< e: bottom, opposite vertex e; 3 + e: top, opposite vertex 3 + e; 6 + v: vertical, at vertex v
  face,    ///< 0 bottom, 1 top; 2 + e: the quadrilateral between the edges e and 3 + e
  inside,  ///< 0
};

/// A node by its indices in the lattice and by its place.
struct PrismNode {
  TriangleLattice triangle;  ///< barycentric indices, whose sum is p
  int line;                  ///< 0 at z = -1 .. p at z = 1
  Entity entity;
  int index;  ///< number among the entities of its kind, see Entity
};

/// Nodes in the order of the shape functions, the line slowest:
/// r = line * triangle_size(p) + triangle_node(p, triangle).
std::vector<PrismNode> prism_nodes(int p);

/// The coordinates of the nodes: triangle_nodes(p) x Gauss-Lobatto-Legendre nodes, so that the nodes of a shared face
/// coincide for any orientation of the two prisms.
std::vector<PrismPoint> prism_node_points(int p);

/// Shape functions and their reference derivatives at the points of the rule triangle_rule(2p) x gauss(p + 1), as
/// products and as factors: phi_r(q) = triangle.values(qt, i) line_values(ql, k), r = k * triangle_size(p) + i, q = ql
/// * triangle_rule.size() + qt.
struct PrismTables {
  int order = 0, num_functions = 0, num_points = 0;
  TriangleRule triangle_rule;
  Rule line_rule;
  TriangleTables triangle;               ///< (qt, i)
  Matrix line_values, line_derivatives;  ///< (ql, k)
  std::vector<PrismPoint> points;        ///< (q)
  std::vector<double> weights;           ///< (q), sum 1
  std::vector<double> values;            ///< (q, r)
  std::vector<double> derivatives;       ///< (direction x, y, z; q, r)

  double value(int q, int r) const { return values[std::size_t(q) * num_functions + r]; }
  double derivative(int direction, int q, int r) const {
    return derivatives[(std::size_t(direction) * num_points + q) * num_functions + r];
  }
};

/// The tables of degree p = 1 .. 7. Errors: any other degree (InputError).
PrismTables make_prism_tables(int p);

}  // namespace miniapp::basis
