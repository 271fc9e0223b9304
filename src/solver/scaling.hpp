// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/incomplete_factors.hpp"

/// Factorisations are computed for S A S, S = diag(A)^(-1/2), whose diagonal is 1: then all pivots of incomplete
/// factors are in (0, 1], and the sweeps of Chow and Patel converge faster.
namespace miniapp::solver {

/// S (row). Errors: InputError where require_spd_candidate() refuses the matrix.
Vector<double> scaling_of(const linalg::CsrMatrix<double>& matrix);

/// Turns factors of S A S into those of A: N = S^-1 N S, D = S^-2 D.
void unscale(const IncompleteFactors& factors, const Vector<double>& scaling);

}  // namespace miniapp::solver
