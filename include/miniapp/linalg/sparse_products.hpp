// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/csr_matrix.hpp"

namespace miniapp::linalg {

/// A^T. O(entries).
template <class Real>
CsrMatrix<Real> transpose(const CsrMatrix<Real>& matrix);

/// C = A B, row by row: c_i = sum_k a_ik b_k. The pattern is that of the structure: an entry that happens to be zero is
/// stored. On hosts, one thread adds up a whole row, in an array of one number per column of B. On GPUs, one team does,
/// in a hash table in scratch, so that sums round differently from run to run. Source: F. Gustavson, Two fast
/// algorithms for sparse matrices, ACM Trans. Math. Softw. 4 (1978) 250-269. Errors: InputError where the sizes do not
/// match, or the product has too many entries.
template <class Real>
CsrMatrix<Real> multiply(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B);

/// The Galerkin product R A P, row by row, first that of R A: no product is stored in between. A GPU does so where rows
/// of R A add up at most 3072 products, and makes two products otherwise. Errors: as multiply().
template <class Real>
CsrMatrix<Real> galerkin_product(const CsrMatrix<Real>& R, const CsrMatrix<Real>& A, const CsrMatrix<Real>& P);

}  // namespace miniapp::linalg
