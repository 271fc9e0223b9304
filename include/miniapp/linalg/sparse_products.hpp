// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/csr_matrix.hpp"

namespace miniapp::linalg {

/// A^T. O(entries). Where A consists of dense blocks of so many rows and columns, they are moved as wholes; where it
/// does not, entries, with the same result.
template <class Real>
CsrMatrix<Real> transpose(const CsrMatrix<Real>& matrix, int block_rows = 1, int block_columns = 1);

/// A product may be told that its matrices consist of dense blocks, A of `rows` x `inner`, B of `inner` x `columns`: it
/// then looks a column up once per block. Where they do not, or inner is none of 1, 2, 3 and 6, entries are multiplied
/// one by one, with the same result but for rounding.
struct BlockSizes {
  int rows = 1, inner = 1, columns = 1;
};

/// C = A B, row by row: c_i = sum_k a_ik b_k. The pattern is that of the structure: an entry that happens to be zero is
/// stored. On hosts, one thread adds up a whole row, in an array of one number per column of B. On GPUs, one team does,
/// in a hash table in scratch, so that sums round differently from run to run. Source: F. Gustavson, Two fast
/// algorithms for sparse matrices, ACM Trans. Math. Softw. 4 (1978) 250-269. Errors: InputError where the sizes do not
/// match, or the product has too many entries.
template <class Real>
CsrMatrix<Real> multiply(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B, const BlockSizes& blocks = {});

/// The Galerkin product R A P, row by row, first that of R A: no product is stored in between. A GPU does so where rows
/// of R A add up at most 3072 products, and makes two products otherwise. Where A consists of dense blocks of fine x
/// fine numbers, P of fine x coarse and R of coarse x fine, hosts and GPUs make two products of blocks (BlockSizes),
/// and A P is stored. Errors: as multiply().
template <class Real>
CsrMatrix<Real> galerkin_product(const CsrMatrix<Real>& R, const CsrMatrix<Real>& A, const CsrMatrix<Real>& P,
                                 int coarse = 1, int fine = 1);

}  // namespace miniapp::linalg
