// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// The modes of every element as a box that reaches to the next nodes of its neighbours: per direction the m = order +
/// 3 solutions of
///
///   K s = lambda M s, s^T M s = 1
///
/// with the 1-D stiffness K and mass M of the line of nodes through the element and to the first inner node of the
/// neighbours before and behind. An element's lengths are those of the box with its mean metric. Nodes that are not
/// there or masked stand apart from all others. Without stiffness lambda is 1/3.
struct LineModes {
  /// Instead of a neighbour: there is none; it belongs to another rank, and counts as one of the same length.
  static constexpr Index surface = -1, of_other_rank = -2;
  Vector<float> modes;        ///< (group, direction, node, mode, lane); groups of group_size<float> elements
  Vector<float> eigenvalues;  ///< (group, direction, mode, lane) [1/m^2]
};

/// By Cholesky's factors of M and Jacobi's rotations, in double precision, elements in lanes or one team per line.
/// `neighbours`: mesh::find_neighbours() of faces, of_other_rank where another rank has the neighbour; `slots` (group,
/// lane): element, -1 where the lane is empty.
LineModes make_line_modes(const Discretisation& d, const Vector<const Index>& neighbours,
                          const Vector<const Index>& slots);

}  // namespace miniapp::tensor
