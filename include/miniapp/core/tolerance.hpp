// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace miniapp {

/// The largest difference that rounding may cause between two ways to sum `terms` products to results of size `scale`.
/// Every comparison of the project uses this one function.
template <class Real>
double tolerance(double terms, double scale) {
  return 8 * std::sqrt(terms) * std::numeric_limits<Real>::epsilon() * scale;
}

/// The larger one of two errors, neither of which is negative. NaN counts as infinity, since a maximum would forget it.
inline double worse(double most, double error) { return std::isnan(error) ? INFINITY : std::max(most, error); }

}  // namespace miniapp
