// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>

namespace miniapp {

/// The largest difference that rounding may cause between two ways to sum `terms` products to results of size `scale`.
/// Every comparison of the project uses this one function.
template <class Real>
double tolerance(double terms, double scale) {
  return 8 * std::sqrt(terms) * std::numeric_limits<Real>::epsilon() * scale;
}

}  // namespace miniapp
