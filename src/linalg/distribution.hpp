// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "miniapp/linalg/distributed_matrix.hpp"
#include "miniapp/space/space.hpp"

/// How a matrix is distributed, without the messages: what each rank makes of what others sent.
namespace miniapp::linalg {

using Words = std::vector<std::int64_t>;

/// An entry whose column another rank has.
struct Coupling {
  Index row;
  Place column;
  double value;
};

/// A rank's rows before it knows what others need of them: the matrix without its ghosts, and the entries at ghosts.
struct UncoupledMatrix {
  DistributedMatrix matrix;
  std::vector<Coupling> couplings;
};

/// The grid whose points are rows of a matrix, with `block` rows per node. Errors: as distribute().
std::array<Index, 3> grid_of_rows(Index rows, int block, int ranks);

/// (rank): its rows of a square matrix, as words: lengths, columns, bits of values. Errors: InputError as
/// grid_of_rows(), and where there are more ranks than rows.
std::vector<Words> pack(const CsrMatrix<double>& matrix, int ranks, int block = 1);

/// The rows of one of `ranks` ranks from their words.
UncoupledMatrix unpack(const Words& words, const GridPart& part, int ranks);

/// (rank): the rows of that rank at which couplings have their columns, ascending.
std::vector<Words> find_wanted(const std::vector<Coupling>& couplings, int ranks);

/// Items from what this rank wants of others, and they of it, as find_wanted(). Returns (rank): its first item.
std::vector<std::size_t> pair_items(GhostItems& items, const std::vector<Words>& wanted,
                                    const std::vector<Words>& asked);

/// Adds the block of ghosts. `couplings`: each row has a column once; `wanted` (rank): their find_wanted();
/// `asked` (rank): what that rank wants of this one.
void couple(DistributedMatrix& matrix, std::vector<Coupling> couplings, const std::vector<Words>& wanted,
            const std::vector<Words>& asked);

/// Errors: InputError where `part` has not a row per entry of the space, or of its first component.
void require_rows(const CsrMatrix<double>& part, const space::Space& space);
/// (entry): whether it belongs to a constrained node; of the first `count` entries of a space.
std::vector<char> find_masked(const space::Space& space, std::size_t count);

}  // namespace miniapp::linalg
