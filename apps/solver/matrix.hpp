// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "miniapp/core/names.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"

namespace miniapp::apps {

/// Where the matrix of `miniapp solver` comes from.
enum class MatrixKind {
  poisson2d,  ///< linalg::make_poisson(2, side)
  poisson3d,  ///< linalg::make_poisson(3, side)
  lor,        ///< tensor::make_low_order_matrix() of BP3.0, lambda 1, on a cube of elements, deformed by 0.08
  file,       ///< a file of Matrix Market
};
constexpr auto names(MatrixKind) { return std::array{"poisson2d", "poisson3d", "lor", "file"}; }

/// A matrix, and how large it is.
struct MatrixChoice {
  MatrixKind kind = MatrixKind::poisson2d;
  std::string file;
  int order = 7;                           ///< order of lor
  int side = 0;                            ///< points per direction, of lor elements; 0 for a file
  double file_rows = 0, file_entries = 0;  ///< 0 before the file is read

  /// The name in records and pages: the kind, or the file.
  std::string name() const;
  /// Rows; of a file 0 before it is read.
  double unknowns() const;
  /// Entries, at most: of lor 19 per node inside the cube, one per constrained node.
  double entries() const;
};

/// A matrix whose masked rows have a 1 on the diagonal and nothing else.
struct System {
  linalg::DistributedMatrix matrix;
  std::vector<Index> masked;  ///< rows, ascending
};

/// Refuses the matrix of a file where it cannot be symmetric positive definite, or has fewer rows than there are ranks.
/// Errors: InputError; it begins with what the matrix is `called`.
void require_solvable(const linalg::CsrMatrix<double>& matrix, const std::string& called, int ranks);

/// Collective: each rank makes its rows of a generated matrix, rank 0 reads a file for all, of which ranks have whole
/// nodes of `block` rows; lor is made on one rank. Errors: InputError where a file cannot be read, is refused by
/// require_solvable(), or has no nodes of so many rows for each rank.
System make_system(const MatrixChoice& choice, const Communicator& ranks, int block);

}  // namespace miniapp::apps
