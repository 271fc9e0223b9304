// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::linalg {

/// Rows of a square matrix that ranks share, as libraries of distributed solvers take them: rank r has the rows
/// offsets[r] .. offsets[r + 1] - 1 of the whole matrix, in the host's memory, with all their columns. 16 bytes per
/// entry, 12 per row.
struct GlobalRows {
  Communicator ranks;
  std::vector<std::int64_t> offsets{0, 0};  ///< (rank + 1)
  std::vector<std::int64_t> starts{0};      ///< (own row + 1): entries starts[r] .. starts[r + 1] - 1
  std::vector<std::int64_t> columns;        ///< (entry): of the whole matrix, in no order, each once in a row
  std::vector<double> values;               ///< (entry)
  std::vector<Index> entries;               ///< (own row): which entry of a vector of this rank it is

  Index num_rows() const { return static_cast<Index>(entries.size()); }
  /// The number of this rank's first row.
  std::int64_t first() const { return offsets[static_cast<std::size_t>(ranks.rank())]; }
};

/// The rows of a distributed matrix, rank after rank. Collective.
GlobalRows make_global_rows(const DistributedMatrix& matrix);

/// The sum of what ranks have of a matrix, each from its elements: A = sum over ranks of R^T A_r R. A row is its
/// owner's, which gets the entries that others have of it and adds them in the order of ranks; rows of constrained
/// nodes are the owner's alone. `part` has a row per entry of the space, or of its first component. Collective. Errors:
/// InputError where it has neither.
GlobalRows make_global_rows(const CsrMatrix<double>& part, const space::Space& space);

}  // namespace miniapp::linalg
