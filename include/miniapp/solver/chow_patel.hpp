// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/incomplete_factors.hpp"

namespace miniapp::solver {

/// The unknowns that the sweeps of Chow and Patel iterate on.
enum class Incomplete {
  ic0,   ///< L of A ~ L L^T: l_ij = (a_ij - sum_{k<j} l_ik l_jk) / l_jj, l_ii = sqrt(a_ii - sum_{k<i} l_ik^2)
  ilu0,  ///< U of A ~ L U:   u_ij = a_ij - sum_{k<i} l_ik u_kj, with l_ik = u_ki / u_kk
};

/// Incomplete factors without fill by `sweeps` sweeps over all entries at once (E. Chow and A. Patel, Fine-grained
/// parallel incomplete LU factorization, SIAM J. Sci. Comput. 37(2), 2015). A thread computes an entry from the
/// previous iterate, by a merge of two rows, so that results are the same in every run. The first iterate is the lower
/// triangle of the matrix, which is scaled to a unit diagonal. A sweep completes another column of U, two sweeps one of
/// L, so that finitely many give ILU(0) or IC(0); few come close.
///
/// Chow and Patel iterate on the entries of L and of U. For a symmetric matrix U = D L^T, D = diag(U), holds only at
/// the fixed point, and LU is not symmetric before: not for CG. Here ilu0 reads L off U, which halves the work and the
/// memory; U^T D^-1 U is symmetric by construction, and its fixed point is theirs. ic0 has one factor anyway.
///
/// A pivot, l_ii or u_ii, that is not positive keeps its previous value in all sweeps but the last.
/// Memory in use at the same time: 44 bytes per entry on and below the diagonal.
/// Errors: InputError where require_spd_candidate() refuses the matrix, as with a zero on its diagonal, or sweeps < 0;
/// ResultError naming the row where a pivot of the last sweep is not positive.
IncompleteFactors chow_patel(const linalg::CsrMatrix<double>& matrix, Incomplete kind, int sweeps = 3);

}  // namespace miniapp::solver
