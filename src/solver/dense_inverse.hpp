// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "solver/gram_schmidt.hpp"

namespace miniapp::solver {

/// The inverse of a symmetric positive semidefinite matrix (row, column), by Cholesky's factors. Unknowns whose pivot
/// vanishes, of a singular matrix, are left out: their rows and columns of the inverse are zero. `size` <= 2000 or so:
/// O(size^3) on one thread. Errors: ResultError where a pivot is negative.
std::vector<double> invert_spd(std::vector<double> matrix, int size);

/// The pseudo-inverse of such a matrix A that maps `null` to zero, up to the rounding of
/// what it was made from, which may be far above its own: with N, an orthonormal basis of them, and s, the largest
/// entry of A's diagonal, (A + s N N^T)^-1 - N N^T / s. Errors: as invert_spd().
std::vector<double> invert_semidefinite(std::vector<double> matrix, int size, const Columns& null);

}  // namespace miniapp::solver
