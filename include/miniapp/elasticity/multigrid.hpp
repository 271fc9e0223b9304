// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/mesh.hpp"
#include "miniapp/solver/amg.hpp"

namespace miniapp::elasticity {

/// The motions of a rigid body at the nodes of a mesh, (unknown, mode): three translations, and rotations about axes
/// through the mean of all nodes along x, y and z, e_m x (x - mean). Zero at constrained nodes. `space` has three
/// components, (node, component). Collective.
Vector<double> make_rigid_modes(const mesh::Mesh& mesh, const space::Space& space);

/// What algebraic multigrid takes for elastic bodies: nodes of three unknowns, a strength of 0, W-cycles. A cantilever
/// of order 2 and 105840 unknowns takes 40 iterations to 1e-8, with a strength of 0.04 60 and with V-cycles 53.
solver::AmgOptions elastic_amg_options();

}  // namespace miniapp::elasticity
