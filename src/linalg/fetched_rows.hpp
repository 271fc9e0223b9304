// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"

/// Rows that travel from rank to rank, and the numbers that their columns get where they arrive.
namespace miniapp::linalg {

/// A place as a word, for messages, in the same order.
KOKKOS_INLINE_FUNCTION std::int64_t word_of(const Place& place) { return std::int64_t(place.rank) << 32 | place.row; }
KOKKOS_INLINE_FUNCTION Place place_of(std::int64_t word) {
  return {static_cast<int>(word >> 32), static_cast<Index>(word & 0xffffffff)};
}

/// The rows `sent` of a matrix, one after the other.
CsrMatrix<double> take_rows(const CsrMatrix<double>& matrix, const std::vector<Index>& sent);

/// Which rows travel: rows sent[k] .. sent[k + 1] go to the rank others[k], and received[k] .. received[k + 1] come
/// from it, of which the first used[k] are wanted. Ranks name each other.
struct RowMessages {
  std::vector<int> others;
  std::vector<std::size_t> sent{0}, received{0}, used;
};
/// Those of the rows at items; padding is not wanted.
RowMessages messages_of(const GhostItems& items);

/// Rows that other ranks sent. Those that are not wanted are empty.
struct FetchedRows {
  Vector<const Index> offsets;         ///< (row + 1)
  Vector<const std::int64_t> columns;  ///< (entry): a place as a word
  Vector<const double> values;         ///< (entry)

  Index num_rows() const { return static_cast<Index>(offsets.extent(0)) - 1; }
};
/// Sends `rows`, whose column k is at the place of_column (k). Collective. Errors: InputError where indices cannot
/// count what comes.
FetchedRows exchange_rows(const Communicator& ranks, const RowMessages& plan, const CsrMatrix<double>& rows,
                          const Vector<const std::int64_t>& of_column);

/// The bits of a number.
KOKKOS_INLINE_FUNCTION std::uint64_t bits_of(double value) {
  std::uint64_t word;
  std::memcpy(&word, &value, sizeof(word));
  return word;
}
KOKKOS_INLINE_FUNCTION double number_of(std::uint64_t word) {
  double value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

/// Places of other ranks with their numbers, ascending.
using Numbered = std::vector<std::pair<Place, Index>>;
/// Ghosts, without padding, have the numbers from `first` on.
Numbered number(const std::vector<Place>& ghosts, Index first);
/// Gives columns (i) that have no number yet, -1, that of places (i), where it is known; a place of `rank` is its row.
void number_columns(const Vector<const std::int64_t>& places, const Vector<Index>& columns, int rank,
                    const Numbered& known);
/// The places of columns that have no number, each once, ascending.
std::vector<Place> list_unnumbered(const Vector<const std::int64_t>& places, const Vector<Index>& columns, int ranks);

/// Places of all rows of the nodes that some places belong to.
std::vector<Place> whole_nodes(const std::vector<Place>& places, int block);

}  // namespace miniapp::linalg
