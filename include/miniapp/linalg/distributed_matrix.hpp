// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/linalg/grid_part.hpp"

namespace miniapp::linalg {

/// The rows of other ranks that this one has to do with, which are called its ghosts, and who needs its own. Each pair
/// of neighbours exchanges items: item i of what this rank sends is its row sent[i], item i of what it receives is the
/// ghost i. As many travel both ways, so that some may be padding, which nothing uses.
struct GhostItems {
  Communicator ranks;
  std::vector<int> neighbours;               ///< ranks, ascending
  std::vector<std::size_t> item_offsets{0};  ///< items offsets[k] .. offsets[k + 1] are exchanged with neighbours[k]
  std::vector<Index> sent;                   ///< (item): row
  std::vector<Place> ghosts;                 ///< (item): where it is a row; rank -1 of padding
};

/// Items of the rows at these places, each of another rank, in any order, where each rank says which it needs.
/// Collective.
GhostItems make_ghost_items(const Communicator& ranks, const std::vector<Place>& needed);

/// The rows of a square matrix that this rank has, in two blocks: columns of its own rows, and columns of ghosts. No
/// rank has the whole matrix. Items are exchanged before a product.
struct DistributedMatrix : GhostItems {
  GridPart part;                  ///< which rows of the whole matrix this rank has
  CsrMatrix<double> own;          ///< (row, own row)
  CsrMatrix<double> ghost_block;  ///< (border row, item): rows with ghosts; empty on one rank
  Vector<Index> border;           ///< (border row): its row in `own`, ascending

  /// Entries of this rank's rows.
  std::int64_t num_entries() const { return own.num_entries() + ghost_block.num_entries(); }
  /// The number of the row of a ghost in the whole matrix.
  std::int64_t number(const Place& ghost) const {
    return part_of_grid(part.whole, ghost.rank, ranks.size()).number(ghost.row);
  }
};

/// A matrix that one rank has.
DistributedMatrix make_undivided(CsrMatrix<double> matrix);

/// The rows of make_poisson(dim, n) in a box of the grid for each rank (part_of_grid()). Collective; time and memory
/// O(rows of the part) + O(ranks). Errors: InputError as make_poisson(), where a rank has too many entries, or where
/// there are more ranks than rows.
DistributedMatrix make_poisson(int dim, int n, const Communicator& ranks);

/// Distributes a square matrix that rank 0 has; others pass none. Ranks have consecutive rows, in equal numbers up to
/// the number of cuts; of nodes with `block` consecutive rows each a rank has whole ones. Collective. Errors:
/// InputError where there are more ranks than rows, where rows are no whole number of nodes, or where a rank has fewer
/// nodes than a node has rows.
DistributedMatrix distribute(const CsrMatrix<double>& matrix, const Communicator& ranks, int block = 1);

}  // namespace miniapp::linalg
