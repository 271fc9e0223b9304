// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/elasticity/integrator.hpp"

/// Element matrices of kernels against those of the reference.
namespace miniapp::elasticity {

/// Which of `elements` elements are compared: the first, the middle and the last, ascending and each once. The
/// reference takes a second per element at order 7, so that not all can be.
std::vector<std::size_t> sample_of(std::size_t elements);

/// The largest difference between the matrix (i, k, r, s) [N/m] of element `e` of `prisms` and the reference's, over
/// what rounding allows: tolerance<Real>(points, the reference's largest entry). At most 1 is right; infinity where an
/// entry is not a number. Waits for the matrix.
template <class Real>
double error_of_tolerance(const basis::PrismTables& tables, const Prisms& prisms, std::size_t e,
                          const Vector<Real>& matrix);

}  // namespace miniapp::elasticity
