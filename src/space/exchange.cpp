// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/copy_queue.hpp"
#include "miniapp/core/error.hpp"

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

  if (uses_peers(ranks_)) {
    messages_of_peers_ = {ranks_, others, offsets, offsets, sizeof(double)};
    if (messages_of_peers_.possible()) sums_of_peers_ = PeerSums(ranks_);
    require(
        sums_of_peers_.possible() || ranks_.halo() != Halo::peer,
        "--halo peer: ranks cannot store into each other's memory; accepted are ranks of one host, each with a GPU of "
        "its own (CUDA), or on processors");
  }
  messages_ = {ranks_, std::move(others), std::move(offsets)};
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
  if (halo() == Halo::peer) return;
  buffers_ = std::make_shared<Buffers>();
  buffers_->sums = PinnedVector<double>("space/sums", PeerSums::most);
  buffers_->send = make_vector<double>("space/send", items.size());
  buffers_->received = make_vector<double>("space/received", items.size());
  buffers_->send_host = Kokkos::create_mirror_view(PinnedSpace(), buffers_->send);
  buffers_->received_host = Kokkos::create_mirror_view(PinnedSpace(), buffers_->received);
  buffers_->copies = std::make_shared<CopyQueue>();
}

void Exchange::swap(const Instance& instance, std::size_t bytes, int count) const {
  if constexpr (!runs_on_host)
    Kokkos::deep_copy(instance.space(), used(buffers_->send_host, bytes), used(buffers_->send, bytes));
  instance.fence();
  messages_.start(buffers_->send_host.data(), buffers_->received_host.data(), bytes);
  if (count > 0) ranks_.reduce(Reduction::sum, buffers_->sums.data(), count);
  messages_.finish();
  if constexpr (!runs_on_host)
    Kokkos::deep_copy(instance.space(), used(buffers_->received, bytes), used(buffers_->received_host, bytes));
}

void Exchange::start_copy(const Instance& instance, std::size_t bytes) const {
  buffers_->copies->start_to_host(instance, buffers_->send_host.data(), used(buffers_->send, bytes));
}

void Exchange::swap_copies(std::size_t bytes) const {
  buffers_->copies->wait();
  messages_.start(buffers_->send_host.data(), buffers_->received_host.data(), bytes);
  messages_.finish();
  if constexpr (!runs_on_host)
    buffers_->copies->copy(used(buffers_->received, bytes), static_cast<const double*>(buffers_->received_host.data()));
}

void Exchange::copy_sums(const Instance& instance, const double* sums, int count) const {
  if (count == 0) return;
  require(count <= PeerSums::most, "Exchange::reduce: " + std::to_string(count) + " sums; accepted are up to 16");
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
  if (halo() == Halo::peer) {
    Kokkos::parallel_for("space/reduce", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, count),
                         detail::SumsOfPeers{sums_of_peers_.body(), false, sums});
    return;
  }
  copy_sums(instance, sums, count);
  instance.fence();
  ranks_.reduce(Reduction::sum, buffers_->sums.data(), count);
  return_sums(instance, sums, count);
}

}  // namespace miniapp::space
