// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace miniapp::solver {

/// The inverse of a symmetric positive semidefinite matrix (row, column), by Cholesky's factors. Unknowns whose pivot
/// vanishes, of a singular matrix, are left out: their rows and columns of the inverse are zero. `size` <= 2000 or so:
/// O(size^3) on one thread. Errors: ResultError where a pivot is negative.
std::vector<double> invert_spd(std::vector<double> matrix, int size);

}  // namespace miniapp::solver
