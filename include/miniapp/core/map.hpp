// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace miniapp {

/// Indices of global entities (vertices, nodes). A negative value ~id is entity `id`, masked: it reads as zero and is
/// never written (BS7 of the streaming paper).
using Index = std::int32_t;

/// A map of fixed arity from one set to another, on the host: to(from, slot), row-major.
struct Map {
  int arity = 0;
  std::vector<Index> entries;

  Map() = default;
  Map(std::size_t from_size, int arity_) : arity(arity_), entries(from_size * arity_) {}
  std::size_t size() const { return arity ? entries.size() / arity : 0; }
  Index* operator[](std::size_t from) { return entries.data() + from * arity; }
  const Index* operator[](std::size_t from) const { return entries.data() + from * arity; }
};

/// Rows of positions: row t holds positions[offsets[t] .. offsets[t+1]) into the entries of a map.
struct Rows {
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> positions;
};

/// Which entries of `map` name each of `to_size` targets, in ascending order; masked entries are in no row. O(entries).
Rows transpose(const Map& map, std::size_t to_size);

}  // namespace miniapp
