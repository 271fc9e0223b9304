// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "space/join.hpp"

namespace miniapp::multigrid {

/// The modes of every element as a box that reaches to the next nodes of its neighbours: per direction the m = order +
/// 3 solutions of
///
///   K s = lambda M s, s^T M s = 1
///
/// with the 1-D stiffness K and mass M of the line of nodes through the element and to the first inner node of the
/// neighbours before and behind. An element's lengths are those of the box with its mean metric. Nodes that are not
/// there or masked stand apart from all others. Without stiffness lambda is 1/3.
///
/// On a GPU a line inside the mesh whose neighbours have nearly the same length is taken as symmetric, with their mean
/// length at both ends: its modes are even or odd, so that half of their numbers say all.
struct LineModes {
  Vector<float> modes;        ///< (group, direction, node, mode, lane); groups of group_size<float> elements
  Vector<float> eigenvalues;  ///< (group, direction, mode, lane) [1/m^2]
  /// (group, direction) on a GPU: whether modes are symmetric. Then the first (m + 1) / 2 are even, the others odd, and
  /// the first (m + 1) / 2 nodes are stored.
  Vector<unsigned char> symmetric;
  /// With a coefficient, (group, mode, lane): eigenvalues along t without lambda, and (group, lane) 1 / k of the
  /// element.
  Vector<float> without_lambda, inverse_coefficients;
};

/// Makes eigenvalues along t, which have lambda with a coefficient, those of another one. O(elements order).
void set_lambda(const LineModes& lines, double lambda);

/// By Cholesky's factors of M and Jacobi's rotations, in double precision: on hosts one line per lane, on a GPU one
/// line per thread, or the even or odd modes of a symmetric one. `neighbours`: mesh::find_neighbours() of faces, 6
/// (elements + f) where the neighbour is another rank's beyond the face shared[f]; `slots` (group, lane): element, -1
/// where the lane is empty. Collective.
LineModes make_line_modes(const Discretisation& d, const Vector<const Index>& neighbours,
                          const std::vector<space::SharedFace>& shared, const Vector<const Index>& slots);

}  // namespace miniapp::multigrid
