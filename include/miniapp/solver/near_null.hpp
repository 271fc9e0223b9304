// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/linalg/linear_operator.hpp"

/// Near-null spaces, what a matrix nearly maps to zero: algebraic multigrid interpolates it exactly (Amg). Arrays are
/// (unknown, mode).
namespace miniapp::solver {

/// Number of rotations of a rigid body in so many dimensions, 2 or 3.
constexpr int num_rotations(int dim) { return dim * (dim - 1) / 2; }

/// The modes of the nodes of a space, (entry, mode): a constant of each component, then, where `rotates`, the rotations
/// of a rigid body, e_m x (r - centre), about axes along x, y and z; of two components about z alone. Zero at
/// constrained nodes. `points` (node): r [m]. Errors: InputError where points are not as many as nodes, or where
/// neither two nor three components shall rotate.
Vector<double> make_near_null(const space::Space& space, const std::vector<std::array<double, 3>>& points,
                              const std::array<double, 3>& centre, bool rotates);

/// Near-null vectors of a matrix with `block` rows per node: the constants of each component.
Vector<double> make_constant_modes(Index rows, int block);
/// The motions of a rigid body about the mean of its nodes, (row, mode), of a matrix with `dim` rows per node:
/// displacements along x, y, .. `coordinates` (node, dimension) [m].
Vector<double> make_rigid_modes(const std::vector<double>& coordinates, int dim);

/// Makes modes zero in rows that are coupled to no other, as of constrained unknowns whose rows have been replaced by
/// that of the identity. Errors: InputError where modes do not fit the matrix.
void clear_uncoupled(const linalg::CsrMatrix<double>& matrix, const Vector<double>& near_null);

/// Errors: InputError where modes are no multiple of the rows, a number is not finite, a mode is zero, or depends on
/// those before it: Gram-Schmidt leaves less than 1e-10 of it. On one thread of the host, O(rows modes^2).
void require_independent(const std::vector<double>& near_null, Index rows);

/// What rounding leaves of a sum that is zero, over the sum of its terms' sizes: assembled matrices of scikit-fem, also
/// of distorted and slender elements, have up to 9e-16. A shift of the matrix by 1e-14 of its entries is more.
inline constexpr double null_rounding = 8 * std::numeric_limits<double>::epsilon();

/// The modes (column, mode) that a matrix maps to zero: of each row |sum_j a_ij m_j| <= null_rounding sum_j |a_ij m_j|.
/// A square matrix that has some is singular.
std::vector<int> find_null_modes(const linalg::CsrMatrix<double>& matrix, const Vector<const double>& near_null);

}  // namespace miniapp::solver
