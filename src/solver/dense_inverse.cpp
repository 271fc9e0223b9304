// SPDX-License-Identifier: BSD-3-Clause
#include "solver/dense_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "miniapp/core/error.hpp"

namespace miniapp::solver {

std::vector<double> invert_spd(std::vector<double> L, int size) {
  const auto n = static_cast<std::size_t>(size);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, L[i * n + i]);
  const double vanishes = 1e-13 * largest * size;
  std::vector<char> left_out(n, 0);
  // L L^T = matrix, row by row
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = &L[i * n];
    for (std::size_t k = 0; k < i; ++k) {
      const double* const other = &L[k * n];
      double sum = row[k];
      for (std::size_t j = 0; j < k; ++j) sum -= row[j] * other[j];
      row[k] = left_out[k] ? 0 : sum / other[k];
    }
    double pivot = row[i];
    for (std::size_t j = 0; j < i; ++j) pivot -= row[j] * row[j];
    if (!(pivot >= -vanishes))
      throw ResultError(fmt::format(
          "AMG: the coarsest matrix of {} unknowns is not positive definite: pivot {} is {:.3g}", size, i + 1, pivot));
    left_out[i] = pivot <= vanishes;
    row[i] = left_out[i] ? 1 : std::sqrt(pivot);
  }
  // the inverse of L, whose rows replace those of L
  std::vector<double> inverse(n * n, 0), product(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = &inverse[i * n];
    if (left_out[i]) continue;
    for (std::size_t k = 0; k < i; ++k) {
      const double factor = L[i * n + k];
      if (factor == 0) continue;
      const double* const other = &inverse[k * n];
      for (std::size_t j = 0; j <= k; ++j) row[j] -= factor * other[j];
    }
    row[i] = 1;
    for (std::size_t j = 0; j <= i; ++j) row[j] /= L[i * n + i];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double* const row = &inverse[k * n];
    for (std::size_t i = 0; i <= k; ++i)
      if (row[i] != 0)
        for (std::size_t j = 0; j <= k; ++j) product[i * n + j] += row[i] * row[j];
  }
  return product;
}

std::vector<double> invert_semidefinite(std::vector<double> matrix, int size, const Columns& null) {
  const auto n = static_cast<std::size_t>(size);
  Columns basis;
  for (const std::vector<double>& column : null) extend_basis(basis, column);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, matrix[i * n + i]);
  const auto add_projection = [&](std::vector<double>& to, double factor) {
    for (const std::vector<double>& column : basis)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) to[i * n + j] += factor * column[i] * column[j];
  };
  add_projection(matrix, largest);
  std::vector<double> inverse = invert_spd(std::move(matrix), size);
  add_projection(inverse, -1 / largest);
  return inverse;
}

}  // namespace miniapp::solver
