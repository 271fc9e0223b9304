// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <utility>

namespace miniapp::space {

Exchange::Exchange(Communicator ranks, const std::vector<SharedEntries>& shared, std::size_t num_entries)
    : ranks_(std::move(ranks)), neighbours_(static_cast<int>(shared.size())) {
  if (empty()) return;
  struct Source {
    Index entry;
    int rank;
    Index item;                                       ///< -1: this rank's own
    auto operator<=>(const Source&) const = default;  // NOLINT(modernize-use-nullptr): a fault of clang-tidy 14
  };
  std::vector<Source> sources;
  std::vector<Index> items;
  std::vector<int> others;
  std::vector<std::size_t> offsets = {0};
  for (const SharedEntries& with : shared) {
    for (const Index entry : with.entries) {
      sources.push_back({entry, with.rank, static_cast<Index>(items.size())});
      sources.push_back({entry, ranks_.rank(), -1});
      items.push_back(entry);
      if (with.rank < ranks_.rank()) not_owned_host_.push_back(entry);
    }
    others.push_back(with.rank);
    offsets.push_back(items.size());
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  std::vector<Index> entries, starts, from;
  for (const Source& source : sources) {
    if (entries.empty() || entries.back() != source.entry) {
      entries.push_back(source.entry);
      starts.push_back(static_cast<Index>(from.size()));
    }
    from.push_back(source.item);
  }
  starts.push_back(static_cast<Index>(from.size()));

  messages_ = {ranks_, std::move(others), offsets, offsets, sizeof(double)};
  items_ = to_device("space/items", items);
  entries_ = to_device("space/shared entries", entries);
  offsets_ = to_device("space/offsets", starts);
  sources_ = to_device("space/sources", from);
  std::sort(not_owned_host_.begin(), not_owned_host_.end());
  not_owned_host_.erase(std::unique(not_owned_host_.begin(), not_owned_host_.end()), not_owned_host_.end());
  not_owned_ = to_device("space/not owned", not_owned_host_);
  const Vector<unsigned char> owned = make_vector<unsigned char>("space/owned", num_entries);
  Kokkos::deep_copy(owned, 1);
  zero_others(Instance(), owned);
  owned_ = owned;
}

}  // namespace miniapp::space
