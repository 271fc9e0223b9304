// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "miniapp/core/map.hpp"

namespace miniapp {

/// Compressed rows on the host: row r holds entries[offsets[r] .. offsets[r + 1]). The functions that make such rows
/// say what the entries are: ids of another set, of the same set (a graph), or positions.
template <class Entry = Index, class Offset = std::int64_t>
struct Csr {
  std::vector<Offset> offsets{0};  ///< (row + 1)
  std::vector<Entry> entries;

  std::size_t size() const { return offsets.size() - 1; }
  Offset degree(std::size_t row) const { return offsets[row + 1] - offsets[row]; }
  std::span<const Entry> operator[](std::size_t row) const {
    return {entries.data() + offsets[row], static_cast<std::size_t>(degree(row))};
  }
  /// Ends the current row: the entries appended since the previous row ended.
  void end_row() { offsets.push_back(static_cast<Offset>(entries.size())); }
};

}  // namespace miniapp
