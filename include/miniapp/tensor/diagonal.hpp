// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// The diagonal of Z^T A_L Z, 1 at constrained nodes, by sum factorisation of the squares of basis functions, for every
/// component: with I the interpolation, G the derivative at points of the basis, per direction,
///
///   diag(i, j, k) = sum_q (G_iq G_iq I_jq I_jq I_kq I_kq) rr(q) + .. + 2 (I_iq G_iq I_jq G_jq I_kq I_kq) rs(q) + ..
///
/// with the factors rr, rs, .. of geometry::factors(), and lambda W or W with I alone. The three sums over points run
/// one after the other, plane by plane, terms that share what is left to do are added first: per element 7 n q^3 + 6
/// n^2 q^2 + 3 n^3 q multiplications, n nodes and q points per direction. On hosts in the lanes of vector registers, on
/// GPUs one team per element. Waits. Reference::diagonal() does the same slowly.
/// `in_fixed_order`: the values of a node are added up in the order of its elements, which takes 24 bytes per local
/// node more.
Vector<double> make_diagonal(const Discretisation& d, bool in_fixed_order = false);

}  // namespace miniapp::tensor
