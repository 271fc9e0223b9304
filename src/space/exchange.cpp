// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "miniapp/core/error.hpp"
#include "space/peers.hpp"

namespace miniapp::space {
namespace {

constexpr int most_sums = 16;

}  // namespace

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

  if (!runs_on_host && ranks_.halo() != Halo::host) peers_ = make_peers(ranks_, others, offsets);
  require(peers_ || ranks_.halo() != Halo::peer,
          "--halo peer: ranks cannot store into each other's devices; accepted are GPUs of one host, with CUDA");
  messages_ = {ranks_, std::move(others), std::move(offsets)};
  items_ = to_device("space/items", items);
  entries_ = to_device("space/shared entries", entries);
  offsets_ = to_device("space/offsets", starts);
  sources_ = to_device("space/sources", from);
  owned_ = to_device("space/owned", owned);
  owned_host_ = std::move(owned);
  buffers_ = std::make_shared<Buffers>();
  buffers_->sums = PinnedVector<double>("space/sums", most_sums);
  if (peers_) return;
  buffers_->send = make_vector<double>("space/send", items.size());
  buffers_->received = make_vector<double>("space/received", items.size());
  buffers_->send_host = Kokkos::create_mirror_view(PinnedSpace(), buffers_->send);
  buffers_->received_host = Kokkos::create_mirror_view(PinnedSpace(), buffers_->received);
}

void Exchange::swap(const Instance& instance, std::size_t bytes, int count) const {
  const std::size_t words = (items() * bytes + sizeof(double) - 1) / sizeof(double);
  const auto part = [&](const auto& view) {
    return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(0, words));
  };
  if constexpr (!runs_on_host) Kokkos::deep_copy(instance.space(), part(buffers_->send_host), part(buffers_->send));
  instance.fence();
  messages_.start(buffers_->send_host.data(), buffers_->received_host.data(), bytes);
  if (count > 0) ranks_.reduce(Reduction::sum, buffers_->sums.data(), count);
  messages_.finish();
  if constexpr (!runs_on_host)
    Kokkos::deep_copy(instance.space(), part(buffers_->received), part(buffers_->received_host));
}

void Exchange::signal_peers(const Instance& instance, int count) const {
  const std::vector<char> sent(static_cast<std::size_t>(neighbours_));
  std::vector<char> received(sent.size());
  instance.fence();
  peers_->signals.start(sent.data(), received.data(), 1);
  if (count > 0) ranks_.reduce(Reduction::sum, buffers_->sums.data(), count);
  peers_->signals.finish();
  peers_->second = !peers_->second;
}

void Exchange::copy_sums(const Instance& instance, const double* sums, int count) const {
  if (count == 0) return;
  require(count <= most_sums, "Exchange::reduce: " + std::to_string(count) + " sums; accepted are up to 16");
  using Unmanaged = Kokkos::View<const double*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(instance.space(), Kokkos::subview(buffers_->sums, std::pair<int, int>(0, count)),
                    Unmanaged(sums, static_cast<std::size_t>(count)));
}

void Exchange::return_sums(const Instance& instance, double* sums, int count) const {
  if (count == 0) return;
  using Unmanaged = Kokkos::View<double*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(instance.space(), Unmanaged(sums, static_cast<std::size_t>(count)),
                    Kokkos::subview(buffers_->sums, std::pair<int, int>(0, count)));
}

void Exchange::reduce(const Instance& instance, double* sums, int count) const {
  if (empty() || count == 0) return;
  copy_sums(instance, sums, count);
  instance.fence();
  ranks_.reduce(Reduction::sum, buffers_->sums.data(), count);
  return_sums(instance, sums, count);
}

}  // namespace miniapp::space
