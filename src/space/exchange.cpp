// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <utility>

namespace miniapp::space {

Exchange::Exchange(Communicator ranks, const std::vector<SharedEntries>& shared, std::size_t num_entries)
    : ranks_(std::move(ranks)), neighbours_(static_cast<int>(shared.size())) {
  if (empty()) return;
  using Copies = detail::Copies<double>;
  struct Source {
    int rank;
    Index item;
  };
  std::vector<int> others;
  std::vector<std::size_t> offsets = {0};
  std::vector<Index> entries;                    // (k), by the first item of each
  std::vector<std::vector<Source>> sources;      // (k), in the order of ranks
  std::vector<Index> place_of(num_entries, -1);  // (entry): k
  for (const SharedEntries& with : shared) {
    for (const Index entry : with.entries) {
      Index& k = place_of[entry];
      if (k < 0) {
        k = static_cast<Index>(entries.size());
        entries.push_back(entry);
        sources.push_back({{ranks_.rank(), Copies::itself}});
      }
      sources[k].push_back({with.rank, static_cast<Index>(num_items_++)});
      if (with.rank < ranks_.rank()) not_owned_host_.push_back(entry);
    }
    others.push_back(with.rank);
    offsets.push_back(num_items_);
  }
  std::vector<Index> starts = {0}, from, partners;
  for (std::vector<Source>& of_entry : sources) {
    std::sort(of_entry.begin(), of_entry.end(), [](const Source& a, const Source& b) { return a.rank < b.rank; });
    for (const Source& source : of_entry) from.push_back(source.item);
    partners.push_back(of_entry.size() == 2 ? std::max(of_entry[0].item, of_entry[1].item) : Copies::several);
    starts.push_back(static_cast<Index>(from.size()));
  }

  messages_ = {ranks_, std::move(others), offsets, offsets, sizeof(double)};
  entries_ = to_device("space/shared entries", entries);
  partners_ = to_device("space/partners", partners);
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
