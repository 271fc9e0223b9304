// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "miniapp/core/host_ranges.hpp"

namespace miniapp {

/// Indices of global entities (vertices, nodes). A negative value ~id means that entity `id` is masked: it reads as
/// zero and is never written (BS7 of the streaming paper).
using Index = std::int32_t;

/// A map of fixed arity from one set to another, on the host: to(from, slot), row-major.
struct Map {
  int arity = 0;
  std::vector<Index> entries;

  Map() = default;
  Map(std::size_t from_size, int arity_) : arity(arity_), entries(make_large<Index>(from_size * arity_)) {}
  Map(const Map& other) : arity(other.arity), entries(copy_large(other.entries)) {}
  Map(Map&&) = default;
  Map& operator=(const Map& other) { return *this = Map(other); }
  Map& operator=(Map&&) = default;
  std::size_t size() const { return arity ? entries.size() / arity : 0; }
  Index* operator[](std::size_t from) { return entries.data() + from * arity; }
  const Index* operator[](std::size_t from) const { return entries.data() + from * arity; }
};

/// Checks that every entry of `map` lies in [0, to_size). Errors: InputError naming `name` and the first invalid entry.
void require_valid(const Map& map, std::size_t to_size, const std::string& name);

}  // namespace miniapp
