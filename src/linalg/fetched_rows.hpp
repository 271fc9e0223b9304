// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "linalg/distribution.hpp"
#include "miniapp/linalg/csr_matrix.hpp"

/// Rows that travel from rank to rank, and the numbers that their columns get where they arrive.
namespace miniapp::linalg {

/// A place as a word, for messages, in the same order.
KOKKOS_INLINE_FUNCTION std::int64_t word_of(const Place& place) { return std::int64_t(place.rank) << 32 | place.row; }
KOKKOS_INLINE_FUNCTION Place place_of(std::int64_t word) {
  return {static_cast<int>(word >> 32), static_cast<Index>(word & 0xffffffff)};
}

/// The rows `sent` of a matrix, one after the other.
CsrMatrix<double> take_rows(const CsrMatrix<double>& matrix, const std::vector<Index>& sent);

/// Rows that other ranks sent, on the host.
struct FetchedRows {
  std::vector<Index> lengths;         ///< (row): entries, none of padding
  std::vector<std::int64_t> columns;  ///< (entry): a place as a word
  std::vector<double> values;         ///< (entry)
};

/// Rows to send, on the host.
struct SentRows {
  HostVector<Index> offsets;         ///< (row + 1)
  HostVector<std::int64_t> columns;  ///< (entry): a place as a word
  HostVector<double> values;         ///< (entry)

  /// Column k is at the place of_column (k).
  SentRows(const CsrMatrix<double>& rows, const Vector<const std::int64_t>& of_column);
  /// Appends the rows from `begin` to `end`: their lengths, their columns, and the bits of their values.
  void pack(std::size_t begin, std::size_t end, Words& words) const;
};
/// Appends `rows` rows from their words, which SentRows packed, `used` of them; the others are padding.
void unpack(const std::int64_t* words, std::size_t rows, std::size_t used, FetchedRows& fetched);

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
