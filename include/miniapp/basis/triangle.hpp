// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/simplex.hpp"

namespace miniapp::basis {

/// (p + 1)(p + 2) / 2: dimension of the polynomials of degree p on the triangle, and number of nodes.
constexpr int triangle_size(int p) { return (p + 1) * (p + 2) / 2; }

/// Barycentric lattice indices (a0, a1, a2), a0 + a1 + a2 = p, of the vertices (0, 0), (1, 0), (0, 1).
using TriangleLattice = std::array<int, 3>;

/// The lattice in the order of the nodes: a2 (along y) slowest, a1 (along x) fastest: (node).
std::vector<TriangleLattice> triangle_lattice(int p);

/// The index of a lattice point in that order.
int triangle_node(int p, const TriangleLattice& a);

/// Nodes of degree p >= 1: one per lattice point, in the order of triangle_lattice(). Nodes on an edge are those of the
/// Gauss-Lobatto-Legendre rule, and permuting the barycentric coordinates permutes the nodes, so neighbours agree on
/// shared edges. They are defined recursively: a node is a mean of nodes of lower degree on the three edges, weighted
/// by one-dimensional nodes. The Lebesgue constant is 4.5 at p = 7.
/// Source: T. Isaac, Recursive, parameter-free, explicitly defined interpolation nodes for simplices, SIAM J. Sci.
/// Comput. 42 (2020), arXiv:2002.09421.
std::vector<TrianglePoint> triangle_nodes(int p);

/// Values and derivatives of functions at points, each (point, function).
struct TriangleTables {
  Matrix values, x_derivatives, y_derivatives;
};

/// The orthonormal polynomials of degree p on the triangle:
/// sqrt(2 (2m + 1)(m + n + 1)) P_m(xi / s) s^m P_n^(2m+1, 0)(2y - 1), xi = 2x + y - 1, s = 1 - y, m + n <= p; n
/// fastest. Source: M. Dubiner, Spectral methods on triangles and other domains, J. Sci. Comput. 6 (1991) 345-390.
TriangleTables orthonormal_tables(int p, const std::vector<TrianglePoint>& points);

/// The Lagrange polynomials of triangle_nodes(p) at points, (point, node): l_i(node j) = delta_ij.
TriangleTables triangle_tables(int p, const std::vector<TrianglePoint>& points);

}  // namespace miniapp::basis
