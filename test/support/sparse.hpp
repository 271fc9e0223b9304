// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "miniapp/linalg/csr_matrix.hpp"
#include "support/vectors.hpp"

/// Sparse matrices on the host, row by row: obvious, for comparison.
namespace miniapp::test {

using Rows = std::vector<std::map<Index, double>>;  // (row): column -> value

inline linalg::CsrMatrix<double> to_csr(const Rows& rows, Index num_columns) {
  Csr<> pattern;
  std::vector<double> values;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      pattern.entries.push_back(column);
      values.push_back(value);
    }
    pattern.end_row();
  }
  return linalg::make_csr_matrix(pattern, num_columns, values);
}

template <class Real>
Rows to_rows(const linalg::CsrMatrix<Real>& matrix) {
  const auto offsets = to_std(matrix.offsets), columns = to_std(matrix.columns);
  const auto values = to_std(matrix.values);
  Rows rows(static_cast<std::size_t>(matrix.num_rows));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (Index e = offsets[r]; e < offsets[r + 1]; ++e) rows[r][columns[e]] = values[e];
  return rows;
}

/// A x.
inline std::vector<double> multiply(const Rows& rows, const std::vector<double>& x) {
  std::vector<double> y;
  for (const auto& row : rows) {
    double sum = 0;
    for (const auto& [column, value] : row) sum += value * x[static_cast<std::size_t>(column)];
    y.push_back(sum);
  }
  return y;
}

/// Rows of up to `most` entries at pseudo-random places; some are empty.
inline Rows random_rows(Index num_rows, Index num_columns, int most, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Rows rows(static_cast<std::size_t>(num_rows));
  for (auto& row : rows)
    for (int e = static_cast<int>(random() % (most + 1)); e > 0; --e)
      row[static_cast<Index>(random() % static_cast<std::uint64_t>(num_columns))] = uniform(random);
  return rows;
}

/// A symmetric, strictly diagonally dominant matrix with positive diagonal: positive definite.
inline Rows random_spd(Index size, int most, unsigned seed) {
  Rows rows = random_rows(size, size, most, seed), symmetric(rows.size());
  for (Index r = 0; r < size; ++r)
    for (const auto& [c, value] : rows[r])
      if (c != r) symmetric[r][c] = symmetric[c][r] = value;
  for (Index r = 0; r < size; ++r) {
    double sum = 0.1;
    for (const auto& [c, value] : symmetric[r]) sum += std::abs(value);
    symmetric[r][r] = sum;
  }
  return symmetric;
}

/// Blocks of rows x columns instead of the entries of a matrix.
inline Rows make_blocks(const Rows& entries, int rows, int columns) {
  Rows blocks(entries.size() * static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (const auto& [j, value] : entries[i])
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
          blocks[i * static_cast<std::size_t>(rows) + static_cast<std::size_t>(r)][j * columns + c] =
              value * std::cos(1 + r + 2 * c + double(i) + 3 * j);
  return blocks;
}

}  // namespace miniapp::test
