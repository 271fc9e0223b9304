// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <utility>

namespace miniapp::space {

Exchange::Exchange(const std::vector<Index>& ghosts, const std::vector<Index>& owners) {
  if (ghosts.empty()) return;
  std::vector<std::pair<Index, Index>> pairs;  // owner, ghost
  for (std::size_t i = 0; i < ghosts.size(); ++i) pairs.emplace_back(owners[i], ghosts[i]);
  std::sort(pairs.begin(), pairs.end());
  std::vector<Index> sorted, starts, distinct;
  for (const auto& [owner, ghost] : pairs) {
    if (distinct.empty() || distinct.back() != owner) {
      distinct.push_back(owner);
      starts.push_back(static_cast<Index>(sorted.size()));
    }
    sorted.push_back(ghost);
  }
  starts.push_back(static_cast<Index>(sorted.size()));
  owners_ = to_device("space/owners", distinct);
  offsets_ = to_device("space/owners' ghosts", starts);
  ghosts_ = to_device("space/ghosts", sorted);
}

}  // namespace miniapp::space
