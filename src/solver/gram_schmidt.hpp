// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace miniapp::solver {

using Columns = std::vector<std::vector<double>>;

inline double length_of(const std::vector<double>& x) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  return std::sqrt(squares);
}

/// Adds what is new in x to an orthonormal basis, by Gram-Schmidt twice. False, and nothing is added, where it leaves
/// at most 1e-10 of x.
inline bool extend_basis(Columns& basis, std::vector<double> x) {
  const double before = length_of(x);
  for (int pass = 0; pass < 2; ++pass)
    for (const std::vector<double>& other : basis) {
      double part = 0;
      for (std::size_t i = 0; i < x.size(); ++i) part += x[i] * other[i];
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * other[i];
    }
  const double left = length_of(x);
  if (!(left > 1e-10 * before)) return false;
  for (double& value : x) value /= left;
  basis.push_back(std::move(x));
  return true;
}

}  // namespace miniapp::solver
