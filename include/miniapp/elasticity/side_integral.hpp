// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "miniapp/space/space.hpp"

namespace miniapp::elasticity {

/// A vector at a point x [m] of a side of a cell, whose unit normal n points out of the cell there: a traction [Pa].
using SideVector = std::function<mesh::Point(std::size_t element, const mesh::Point& x, const mesh::Point& n)>;

/// Integrals over sides of prisms, triangles and quadrilaterals, which may be curved bilinear surfaces:
///   w_r = int f(x, n) phi_r dA,   (node, component) [f m^2].
/// With f a traction these are its consistent nodal forces. Triangles have the rule of degree 2 min(p + 1, 7), sides of
/// quadrilaterals p + 2 Gauss points per direction: exact on plane sides for f of degree p + 2 in x (on triangles of
/// p = 7 of degree 7), and on any side for the normal times polynomials of degree p + 2 on it. Entries of
/// constrained nodes are computed as well. Where the mesh is distributed, over `sides` of this rank: the sum of all
/// copies of a node is the integral. Errors: cells that are no prisms (InputError).
std::vector<double> integrate_sides(const mesh::Mesh& mesh, const space::Space& space,
                                    const std::vector<mesh::CellSide>& sides, const SideVector& f);

}  // namespace miniapp::elasticity
