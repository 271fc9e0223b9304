// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "miniapp/elasticity/multigrid.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/linalg/block_matrix.hpp"
#include "miniapp/solver/any_preconditioner.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/space/space.hpp"

/// A cantilever, clamped at x = 0 and loaded along z at its other end, solved in three dimensions with elastic prisms.
/// Beam theory gives its deflection.
namespace miniapp::elasticity {

struct Cantilever {
  int nx = 8, ny = 1, nz = 2;     ///< cells, two prisms each: triangles in x and y, lines along z
  int order = 2;                  ///< 1 .. 7
  double length = 10;             ///< along x [m]
  double width = 1, height = 1;   ///< along y, z [m]
  double young = 1, poisson = 0;  ///< Young's modulus [Pa], Poisson's ratio
  double force = 1;               ///< along z [N]
  double deform = 0;  ///< amplitude of mesh::deform, applied to the unit cube before it is scaled to the beam
};

enum class ElasticPreconditioner {
  jacobi,        ///< the diagonal
  block_jacobi,  ///< the 3 x 3 blocks of the diagonal, one per node
  amg,           ///< a cycle of algebraic multigrid (multigrid.hpp)
};
constexpr auto names(ElasticPreconditioner) { return std::array{"jacobi", "block-jacobi", "amg"}; }
constexpr auto descriptions(ElasticPreconditioner) {
  return std::array{"the diagonal", "its blocks of 3 x 3",
                    "a cycle of algebraic multigrid, whose coarse levels have the motions of a rigid body"};
}

/// Checks the parameters. Errors: invalid sizes, moduli or force (InputError).
void check(const Cantilever& beam);

/// The beam 0 <= x <= length, |y| <= width / 2, |z| <= height / 2; on several ranks this one's part of it. Errors:
/// InputError, as check(), mesh::deform and graph::part_of_box(), of the cells.
mesh::Mesh make_mesh(const Cantilever& beam, const Communicator& ranks = {},
                     graph::Partition partition = graph::Partition::rcb);

/// The nodes of a beam; those in the plane x = 0 are constrained in all three components. Collective, as make_load()
/// and tip_deflection(), where the mesh is distributed.
space::Space make_space(const Cantilever& beam, const mesh::Mesh& mesh);

/// Nodal forces (node, component) [N] of the traction that beam theory has in each cross-section,
///   t_z = 3 F / (2 A) (1 - (2 z / height)^2),   A = width height,
/// on the end x = length: their sum is F, each node counted once. Zero at constrained nodes.
std::vector<double> make_load(const Cantilever& beam, const mesh::Mesh& mesh, const space::Space& space);

/// Mean of u_z over the end x = length [m]; u (node, component).
double tip_deflection(const Cantilever& beam, const mesh::Mesh& mesh, const space::Space& space,
                      const std::vector<double>& u);

/// The tip deflection of Timoshenko's theory [m]: F L^3 / (3 E I) + F L / (kappa G A), I = width height^3 / 12,
/// kappa = 10 (1 + nu) / (12 + 11 nu). It neglects the effect of the clamped end on the stresses near it, about height
/// / length of the second term, and more if nu is not zero. Source: G. R. Cowper, The shear coefficient in
/// Timoshenko's beam theory, J. Appl. Mech. 33 (1966) 335-340.
double beam_deflection(const Cantilever& beam);

/// The relative difference from beam_deflection() that a correct solution may have; nothing where the theory gives no
/// limit: at order 1, which locks, with nonzero nu or `deform`, and for lengths beyond 50 heights, where rounding and
/// the algebraic error of CG become visible.
///
/// With nu = 0 the theory's stresses are in equilibrium, so the exact deflection is at most the theory's (minimum
/// complementary energy), and the discrete one is smaller still (minimum potential energy). With B and S the
/// deflections by bending and by shear, it is smaller by
/// - S / 6 at most: the space of order 3 contains u_z = w(x), u_x = -z v(x), cubic and quadratic, whose shear is
///   constant over a cross-section; that beam deflects by B + 5/6 S.
/// - The clamped end keeps cross-sections from warping, over a height or a cell. Measured (docs/verdicts.md):
///   0.024 S max(height, cell) / length at most; 1/30 is taken.
/// - At order 2, w'' is constant in each of the nx cells, which adds B / (4 nx^2), and of S only S / 6 is guaranteed.
std::optional<double> beam_tolerance(const Cantilever& beam);

/// A preconditioner of the matrix of an elastic body, of type Jacobi<Real>, BlockJacobi<Real> or DistributedAmg, whose
/// cycles are of `cycles`' precision, with the motions of a rigid body as what the matrix nearly maps to
/// zero. Memory while multigrid is set up: the matrix once more by entries, 12 bytes each, and its products.
/// Collective. Errors: too many entries (InputError); as solver::DistributedAmg.
template <class Real>
solver::ChosenPreconditioner<Real> make_preconditioner(ElasticPreconditioner kind, const mesh::Mesh& mesh,
                                                       const linalg::BlockMatrix<Real>& matrix,
                                                       Precision cycles = Precision::fp32);

/// Solves by CG. `u` is overwritten. Collective. Errors: ResultError, as solver::cg().
template <class Real>
solver::CgResult solve(const Instance& instance, const linalg::BlockMatrix<Real>& matrix,
                       const solver::AnyPreconditioner<Real>& preconditioner, const Vector<const Real>& load,
                       const Vector<Real>& u, const solver::CgOptions& options);

}  // namespace miniapp::elasticity
