// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/elasticity/integrator.hpp"

/// Compares element matrices of kernels with those of the reference.
namespace miniapp::elasticity {

/// Which of `elements` elements are compared: the first, the middle and the last, in ascending order without
/// repetition. The reference takes a second per element at order 7, too long for all elements.
std::vector<std::size_t> sample_of(std::size_t elements);

/// Error / tolerance of the matrix (i, k, r, s) [N/m] of element `e` of `prisms`: the largest difference from the
/// reference, over tolerance<Real>(points, the reference's largest entry). Values up to 1 are right; infinity where an
/// entry is not a number. Waits for the matrix.
template <class Real>
double error_over_tolerance(const basis::PrismTables& tables, const Prisms& prisms, std::size_t e,
                            const Vector<Real>& matrix);

}  // namespace miniapp::elasticity
