// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <utility>

#include "linalg/counted_rows.hpp"
#include "miniapp/linalg/local_rows.hpp"

namespace miniapp::linalg {

/// The first entries of an array, which they keep alive.
template <class T>
Vector<T> first_of(const Vector<T>& all, std::size_t size) {
  return Kokkos::subview(all, std::pair<std::size_t, std::size_t>(0, size));
}

/// Entries of arrays with room for so many rows below theirs.
inline std::size_t with_room(std::size_t entries, Index num_rows, std::size_t rows_below) {
  return entries + rows_below * (entries / static_cast<std::size_t>(std::max(num_rows, 1)) + 1) * 3 / 2;
}

/// Rows to be filled, of entries that offsets count, in arrays with room for those of ghosts below.
inline void make_rows(GhostedMatrix& matrix, Index num_rows, const Vector<Index>& offsets, std::int64_t entries) {
  require_countable(entries);
  const auto own = static_cast<std::size_t>(entries), ghosts = matrix.ghosts.size(),
             all = with_room(own, num_rows, ghosts);
  matrix.columns_with_room = make_vector<Index>("linalg/columns", all);
  matrix.values_with_room = make_vector<double>("linalg/values", all);
  matrix.rows = {num_rows, num_rows + static_cast<Index>(ghosts), offsets, first_of(matrix.columns_with_room, own),
                 first_of(matrix.values_with_room, own)};
}

}  // namespace miniapp::linalg
