// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "miniapp/core/map.hpp"

namespace miniapp {

/// Which of the entries 0 .. `entries` - 1 are marked, on the host, in a bit each.
class Marks {
 public:
  /// The entries `marked` are.
  explicit Marks(std::size_t entries, const std::vector<Index>& marked = {}) : words_(entries / bits + 1, 0) {
    for (const Index entry : marked) add(entry);
  }
  /// Whether it was not marked before.
  bool add(Index entry) {
    std::uint64_t& word = words_[static_cast<std::size_t>(entry) / bits];
    const std::uint64_t bit = std::uint64_t(1) << static_cast<std::size_t>(entry) % bits, before = word;
    word |= bit;
    return before != word;
  }
  bool has(Index entry) const {
    return (words_[static_cast<std::size_t>(entry) / bits] >> static_cast<std::size_t>(entry) % bits & 1) != 0;
  }
  /// The marked entries, ascending.
  std::vector<Index> list() const {
    std::vector<Index> entries;
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        entries.push_back(static_cast<Index>(w * bits + static_cast<std::size_t>(std::countr_zero(left))));
    return entries;
  }

 private:
  static constexpr std::size_t bits = 64;
  std::vector<std::uint64_t> words_;
};

}  // namespace miniapp
