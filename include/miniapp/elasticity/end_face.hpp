// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "miniapp/space/space.hpp"

namespace miniapp::elasticity {

/// A function on the end face of a body, of y and z [m].
using EndFunction = std::function<double(double y, double z)>;

/// Integrals over the plane part x = `x` of a mesh's boundary, triangles and quadrilaterals:
///   w_r = int f(y, z) phi_r dA,   (node) [f m^2],
/// exact for f of degree 2. With f a traction these are its consistent nodal
/// forces; with f = 1 / A, w . u is the mean of u. Entries of constrained nodes are computed as well.
/// A vertex lies in the plane if it is no farther from it than `near` [m]. Where the mesh is distributed, over the
/// faces of this rank's elements: the sum of all copies of a node is the integral. Collective then. Errors: no face
/// there on any rank (InputError).
std::vector<double> integrate_end(const mesh::Mesh& mesh, const space::Space& space, double x, double near,
                                  const EndFunction& f);

}  // namespace miniapp::elasticity
