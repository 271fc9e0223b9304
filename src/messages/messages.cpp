// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/messages/messages.hpp"

#include <string>
#include <utility>

#include "core/node.hpp"
#include "messages/nccl.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::messages {

std::string why_not(Halo halo) {
  if (runs_on_host)
    return halo == Halo::device || halo == Halo::nccl ? "of GPUs; accepted on processors are auto, host, peer" : "";
  return halo != Halo::nccl || nccl_is_possible ? "" : "this build has no NCCL; accepted are auto, host, device, peer";
}

Messages::Messages(const Communicator& ranks, std::vector<int> others, std::vector<std::size_t> sent,
                   std::vector<std::size_t> received, std::size_t bytes)
    : ranks_(ranks) {
  if (ranks_.is_alone()) return;
  std::int64_t all_full = 1;
  for (std::size_t k = 0; k < others.size(); ++k)
    if (sent[k] == sent[k + 1] || received[k] == received[k + 1]) all_full = 0;
  if (uses_peers(ranks_) && ranks_.of_all(Reduction::min, all_full) == 1) {
    peers_ = {ranks_, others, sent, received, bytes};
    if (peers_.possible()) sums_ = PeerSums(ranks_);
    if (!sums_.possible()) peers_ = {};
    require(peers_.possible() || ranks_.halo() != Halo::peer, "halo", "peer",
            (num_hosts(ranks_) > 1 ? "ranks of " + std::to_string(num_hosts(ranks_)) + " hosts" : "ranks") +
                " cannot store into each other's memory; accepted are ranks of one host, each with a GPU of its own "
                "(CUDA), or on processors");
  }
  if (peers_.possible()) return;
  buffers_ = {ranks_, std::move(others), std::move(sent), std::move(received), bytes};
  host_sums_ = PinnedVector<double>("messages/sums", PeerSums::most);
  if (halo() == Halo::nccl) nccl_ = Nccl::of(ranks_);
}

void Messages::require_few(int count) {
  require(count <= PeerSums::most, "Messages: " + std::to_string(count) + " sums; accepted are up to 16");
}

void Messages::copy_sums(const Instance& instance, const double* sums, int count) const {
  if (count == 0) return;
  using Unmanaged = Kokkos::View<const double*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(instance.space(), Kokkos::subview(host_sums_, std::pair<int, int>(0, count)),
                    Unmanaged(sums, static_cast<std::size_t>(count)));
}

void Messages::return_sums(const Instance& instance, double* sums, int count) const {
  if (count == 0) return;
  using Unmanaged = Kokkos::View<double*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(instance.space(), Unmanaged(sums, static_cast<std::size_t>(count)),
                    Kokkos::subview(host_sums_, std::pair<int, int>(0, count)));
}

void Messages::sum_copied(int count) const {
  if (count > 0) ranks_.reduce(Reduction::sum, host_sums_.data(), count);
}

void Messages::reduce(const Instance& instance, double* sums, int count) const {
  if (ranks_.is_alone() || count == 0) return;
  require_few(count);
  if (peers_.possible()) {
    for_items(instance, "messages/reduce", static_cast<std::size_t>(count),
              detail::ReceiveSums{sums_.body(), false, sums});
    return;
  }
  if (nccl_) return nccl_->sum(instance, sums, count);
  copy_sums(instance, sums, count);
  instance.fence();
  sum_copied(count);
  return_sums(instance, sums, count);
}

}  // namespace miniapp::messages
