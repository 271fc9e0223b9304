// SPDX-License-Identifier: BSD-3-Clause
#include "space/peers.hpp"

#include <algorithm>
#include <cstring>

namespace miniapp::space {

#if defined(KOKKOS_ENABLE_CUDA)
namespace {

constexpr std::size_t handle_words = sizeof(cudaIpcMemHandle_t) / sizeof(std::int64_t);
static_assert(sizeof(cudaIpcMemHandle_t) % sizeof(std::int64_t) == 0);

/// Peers whose memory is closed and freed.
struct OpenedPeers : detail::Peers {
  std::vector<void*> opened;  ///< (neighbour)
  ~OpenedPeers() {
    for (void* memory : opened) cudaIpcCloseMemHandle(memory);
    cudaFree(received);
  }
};

}  // namespace

std::shared_ptr<detail::Peers> make_peers(const Communicator& ranks, const std::vector<int>& others,
                                          const std::vector<std::size_t>& offsets) {
  if (ranks.of_all(Reduction::min, std::int64_t(ranks.size_of_node())) < ranks.size()) return nullptr;
  const auto peers = std::make_shared<OpenedPeers>();
  const auto items = static_cast<std::int64_t>(offsets.back());
  peers->half = 256 * ((sizeof(double) * ranks.of_all(Reduction::max, items) + 255) / 256);
  cudaIpcMemHandle_t own = {};
  bool is_able = cudaMalloc(&peers->received, 2 * std::max<std::size_t>(peers->half, 256)) == cudaSuccess &&
                 cudaIpcGetMemHandle(&own, peers->received) == cudaSuccess;

  // to each neighbour: the handle, and where its items begin
  std::vector<std::vector<std::int64_t>> told(static_cast<std::size_t>(ranks.size()));
  for (std::size_t k = 0; k < others.size(); ++k) {
    std::vector<std::int64_t>& words = told[others[k]];
    words.resize(handle_words);
    std::memcpy(words.data(), &own, sizeof(own));
    words.push_back(static_cast<std::int64_t>(offsets[k]));
  }
  const std::vector<std::vector<std::int64_t>> heard = ranks.exchange(told);
  std::vector<std::uint64_t> bases;
  std::vector<Index> slots;
  for (std::size_t k = 0; k < others.size() && is_able; ++k) {
    const std::vector<std::int64_t>& words = heard[others[k]];
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, words.data(), sizeof(handle));
    void* memory = nullptr;
    is_able = cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    if (!is_able) break;
    peers->opened.push_back(memory);
    for (std::size_t item = offsets[k]; item < offsets[k + 1]; ++item) {
      bases.push_back(reinterpret_cast<std::uint64_t>(memory));
      slots.push_back(static_cast<Index>(words.back() + static_cast<std::int64_t>(item - offsets[k])));
    }
  }
  if (!is_able) cudaGetLastError();  // forgets the error
  if (ranks.of_all(Reduction::min, std::int64_t(is_able)) == 0) return nullptr;
  peers->bases = to_device("space/peers", bases);
  peers->slots = to_device("space/slots", slots);
  std::vector<std::size_t> signals(others.size() + 1);
  for (std::size_t k = 0; k < signals.size(); ++k) signals[k] = k;
  peers->signals = {ranks, others, std::move(signals)};
  return peers;
}
#else
std::shared_ptr<detail::Peers> make_peers(const Communicator&, const std::vector<int>&,
                                          const std::vector<std::size_t>&) {
  return nullptr;
}
#endif

}  // namespace miniapp::space
