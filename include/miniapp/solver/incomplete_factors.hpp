// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/csr_matrix.hpp"

namespace miniapp::solver {

/// An incomplete factorisation of a symmetric positive definite matrix, A ~ M = (I + N) D (I + N)^T, with N on the
/// pattern of A below the diagonal. IC(0) is L = (I + N) D^(1/2); ILU(0) is L = I + N, U = D (I + N)^T. M is symmetric
/// positive definite whatever N is, since D is positive. chow_patel() and level_ilu() make factors; NeumannFactors and
/// LevelFactors apply M^-1.
struct IncompleteFactors {
  linalg::CsrMatrix<double> lower;  ///< N, strictly lower triangular
  Vector<double> diagonal;          ///< D (row), positive and finite
};

}  // namespace miniapp::solver
