// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "messages/nccl.hpp"
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

  if (messages::uses_peers(ranks_)) {
    messages_of_peers_ = {ranks_, others, offsets, offsets, sizeof(double)};
    if (messages_of_peers_.possible()) sums_of_peers_ = messages::PeerSums(ranks_);
    require(
        sums_of_peers_.possible() || ranks_.halo() != Halo::peer,
        "--halo peer: ranks cannot store into each other's memory; accepted are ranks of one host, each with a GPU of "
        "its own (CUDA), or on processors");
  }
  if (halo() != Halo::peer) {
    messages_ = {ranks_, std::move(others), offsets, offsets, sizeof(double)};
    sums_ = PinnedVector<double>("space/sums", messages::PeerSums::most);
    if (halo() == Halo::nccl) nccl_ = messages::Nccl::of(ranks_);
  }
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

void Exchange::require_few(int count) {
  require(count <= messages::PeerSums::most, "Exchange: " + std::to_string(count) + " sums; accepted are up to 16");
}

void Exchange::copy_sums(const Instance& instance, const double* sums, int count) const {
  if (count == 0) return;
  using Unmanaged = Kokkos::View<const double*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(instance.space(), Kokkos::subview(sums_, std::pair<int, int>(0, count)),
                    Unmanaged(sums, static_cast<std::size_t>(count)));
}

void Exchange::return_sums(const Instance& instance, double* sums, int count) const {
  if (count == 0) return;
  using Unmanaged = Kokkos::View<double*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(instance.space(), Unmanaged(sums, static_cast<std::size_t>(count)),
                    Kokkos::subview(sums_, std::pair<int, int>(0, count)));
}

void Exchange::sum_copied(int count) const {
  if (count > 0) ranks_.reduce(Reduction::sum, sums_.data(), count);
}

void Exchange::reduce(const Instance& instance, double* sums, int count) const {
  if (empty() || count == 0) return;
  require_few(count);
  if (halo() == Halo::peer) {
    Kokkos::parallel_for("space/reduce", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, count),
                         detail::SumsOfPeers{sums_of_peers_.body(), false, sums});
    return;
  }
  if (halo() == Halo::nccl) return nccl_->sum(instance, sums, count);
  copy_sums(instance, sums, count);
  instance.fence();
  sum_copied(count);
  return_sums(instance, sums, count);
}

}  // namespace miniapp::space
