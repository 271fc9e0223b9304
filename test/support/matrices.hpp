// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/lagrange.hpp"
#include "support/all_close.hpp"

namespace miniapp::test {

/// matrix * x.
inline Values product(const basis::Matrix& matrix, const Values& x) {
  Values y{std::vector<double>(matrix.rows)};
  for (int r = 0; r < matrix.rows; ++r)
    for (int c = 0; c < matrix.columns; ++c) y.entries[r] += matrix(r, c) * x[c];
  return y;
}

/// The largest sum of magnitudes in a row: the scale of rounding in a product; of values at many points, Lebesgue's
/// constant.
inline double row_scale(const basis::Matrix& matrix) {
  double most = 0;
  for (int r = 0; r < matrix.rows; ++r) {
    double sum = 0;
    for (int c = 0; c < matrix.columns; ++c) sum += std::fabs(matrix(r, c));
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace miniapp::test
