// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/linalg/block_matrix.hpp"
#include "miniapp/mesh/mesh.hpp"
#include "miniapp/solver/distributed_amg.hpp"

namespace miniapp::elasticity {

/// The motions of a rigid body at the nodes of a mesh, (unknown, mode): three translations, and rotations about axes
/// through the mean of all nodes along x, y and z, e_m x (x - mean). Zero at constrained nodes. `space` has three
/// components, (node, component). Collective.
Vector<double> make_rigid_modes(const mesh::Mesh& mesh, const space::Space& space);

/// What algebraic multigrid takes for elastic bodies: nodes of three unknowns, a strength of 0, W-cycles. A cantilever
/// of order 2 and 105840 unknowns takes 40 iterations to 1e-8, with a strength of 0.04 60 and with V-cycles 53.
solver::AmgOptions elastic_amg_options();

/// Multigrid on the matrix of an elastic body, with the motions of a rigid body as what the matrix nearly maps to zero:
/// on one rank in single precision, on several hypre's (solver::DistributedAmg). Memory while it runs: the matrix once
/// more by entries, 12 bytes each, and its products. Collective. Errors: too many entries (InputError); as
/// solver::DistributedAmg.
template <class Real>
std::unique_ptr<solver::DistributedAmg> make_multigrid(const mesh::Mesh& mesh, const linalg::BlockMatrix<Real>& matrix,
                                                       const solver::AmgOptions& options = elastic_amg_options());

}  // namespace miniapp::elasticity
