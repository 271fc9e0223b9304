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
  std::vector<unsigned char> owned(num_entries, 1);
  for (const SharedEntries& with : shared) {
    for (const Index entry : with.entries) {
      sources.push_back({entry, with.rank, static_cast<Index>(items.size())});
      sources.push_back({entry, ranks_.rank(), -1});
      items.push_back(entry);
      if (with.rank < ranks_.rank()) owned[entry] = 0;
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

  messages_ = {ranks_, std::move(others), std::move(offsets)};
  items_ = to_device("space/items", items);
  entries_ = to_device("space/shared entries", entries);
  offsets_ = to_device("space/offsets", starts);
  sources_ = to_device("space/sources", from);
  owned_ = to_device("space/owned", owned);
  owned_host_ = std::move(owned);
  buffers_ = std::make_shared<Buffers>();
  buffers_->send = make_vector<double>("space/send", items.size());
  buffers_->received = make_vector<double>("space/received", items.size());
  buffers_->send_host = Kokkos::create_mirror_view(buffers_->send);
  buffers_->received_host = Kokkos::create_mirror_view(buffers_->received);
}

void Exchange::swap(const Instance& instance, std::size_t bytes) const {
  const std::size_t words = (items() * bytes + sizeof(double) - 1) / sizeof(double);
  const auto part = [&](const auto& view) {
    return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(0, words));
  };
  if constexpr (!runs_on_host) Kokkos::deep_copy(instance.space(), part(buffers_->send_host), part(buffers_->send));
  instance.fence();
  messages_.start(buffers_->send_host.data(), buffers_->received_host.data(), bytes);
  messages_.finish();
  if constexpr (!runs_on_host)
    Kokkos::deep_copy(instance.space(), part(buffers_->received), part(buffers_->received_host));
}

void Exchange::reduce(const Instance& instance, double* sums, int count) const {
  if (empty()) return;
  const Kokkos::View<double*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> device(
      sums, static_cast<std::size_t>(count));
  const auto host = Kokkos::create_mirror_view(device);
  if constexpr (!runs_on_host) Kokkos::deep_copy(instance.space(), host, device);
  instance.fence();
  ranks_.reduce(Reduction::sum, host.data(), count);
  if constexpr (!runs_on_host) Kokkos::deep_copy(instance.space(), device, host);
}

}  // namespace miniapp::space
