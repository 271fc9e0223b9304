// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace miniapp::space {

Exchange::Exchange(Communicator ranks, const std::vector<SharedEntries>& shared, std::size_t num_entries)
    : ranks_(std::move(ranks)), neighbours_(static_cast<int>(shared.size())) {
  if (empty()) return;
  using Copies = detail::Copies<double>;
  struct Source {
    Index entry;
    int rank;
    Index item;
    auto operator<=>(const Source&) const = default;  // NOLINT(modernize-use-nullptr): a fault of clang-tidy 14
  };
  std::vector<Source> sources;
  std::vector<int> others;
  std::vector<std::size_t> offsets = {0};
  for (const SharedEntries& with : shared) {
    for (const Index entry : with.entries) {
      sources.push_back({entry, with.rank, static_cast<Index>(num_items_++)});
      sources.push_back({entry, ranks_.rank(), Copies::itself});
      if (with.rank < ranks_.rank()) not_owned_host_.push_back(entry);
    }
    others.push_back(with.rank);
    offsets.push_back(num_items_);
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  struct Group {  // the sources of an entry
    Index first_item;
    std::size_t begin, end;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (i == 0 || sources[i].entry != sources[i - 1].entry) groups.push_back({std::numeric_limits<Index>::max(), i, i});
    groups.back().end = i + 1;
    if (const Index item = sources[i].item; item != Copies::itself)
      groups.back().first_item = std::min(groups.back().first_item, item);
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& one, const Group& other) { return one.first_item < other.first_item; });
  std::vector<Index> entries, starts = {0}, from, partners;
  for (const Group& group : groups) {
    entries.push_back(sources[group.begin].entry);
    for (std::size_t i = group.begin; i < group.end; ++i) from.push_back(sources[i].item);
    partners.push_back(group.end - group.begin == 2 ? group.first_item : Copies::several);
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
