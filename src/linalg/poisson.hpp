// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "miniapp/linalg/csr_matrix.hpp"

namespace miniapp::linalg {

/// Errors: InputError where dim is neither 2 nor 3, or n is not positive.
void require_poisson(int dim, int n);

/// The rows and columns that make_poisson() has for a box of its points. Errors: InputError where there are too many
/// entries.
CsrMatrix<double> make_poisson_box(int dim, const std::array<Index, 3>& sides);

}  // namespace miniapp::linalg
