// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/colouring.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace miniapp::graph {
namespace {

/// Bit masks of the colours of the sets at each target, 64 colours per word; grows by a word where these do not
/// suffice.
class ColoursOfTargets {
 public:
  explicit ColoursOfTargets(std::size_t targets) : masks_(1, std::vector<std::uint64_t>(targets, 0)) {}

  std::size_t words() const { return masks_.size(); }
  void grow() { masks_.emplace_back(masks_.front().size(), 0); }
  std::uint64_t taken(std::span<const Index> targets, std::size_t word) const {
    std::uint64_t mask = 0;
    for (const Index target : targets) mask |= masks_[word][target];
    return mask;
  }
  void take(std::span<const Index> targets, int colour) {
    for (const Index target : targets) masks_[colour / 64][target] |= std::uint64_t(1) << (colour % 64);
  }

 private:
  std::vector<std::vector<std::uint64_t>> masks_;  // (word, target)
};

}  // namespace

Colouring colour(const Csr<>& sets, std::size_t to_size, Choice choice) {
  ColoursOfTargets colours(to_size);
  std::vector<Index> used, colour_of(sets.size());  // used: sets of each colour
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::span<const Index> targets = sets[s];
    int best = -1;
    for (std::size_t word = 0; word < colours.words() && (best < 0 || choice == Choice::least_used); ++word) {
      const std::uint64_t taken = colours.taken(targets, word);
      for (int c = 64 * static_cast<int>(word); c < std::min<int>(64 * (word + 1), used.size()); ++c) {
        if (taken >> (c % 64) & 1) continue;
        if (best < 0 || used[c] < used[best]) best = c;
        if (choice == Choice::first_fit) break;
      }
    }
    if (best < 0) {
      best = static_cast<int>(used.size());
      used.push_back(0);
      if (used.size() > 64 * colours.words()) colours.grow();
    }
    colours.take(targets, best);
    colour_of[s] = best;
    ++used[best];
  }
  Colouring result;
  result.offsets.assign(used.size() + 1, 0);
  for (std::size_t c = 0; c < used.size(); ++c) result.offsets[c + 1] = result.offsets[c] + used[c];
  result.entries.resize(sets.size());
  std::vector<Index> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t s = 0; s < sets.size(); ++s) result.entries[next[colour_of[s]]++] = static_cast<Index>(s);
  return result;
}

Csr<> target_sets(const Map& map) {
  Csr<> sets;
  sets.offsets.resize(map.size() + 1);
  for (std::size_t e = 0; e <= map.size(); ++e) sets.offsets[e] = static_cast<std::int64_t>(e) * map.arity;
  sets.entries = map.entries;
  return sets;
}

}  // namespace miniapp::graph
