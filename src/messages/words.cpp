// SPDX-License-Identifier: BSD-3-Clause
#include "messages/words.hpp"

#include <algorithm>

#include "messages/lent_memory.hpp"

namespace miniapp::messages {
namespace {

using Unmanaged = Kokkos::View<std::uint64_t*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

Unmanaged words_at(std::uint64_t address, std::size_t first, std::size_t count) {
  return Unmanaged(reinterpret_cast<std::uint64_t*>(address) + first, count);
}

ReceivedWords exchange_by_host(const Communicator& ranks, const std::vector<int>& others,
                               const std::vector<std::size_t>& offsets, const Vector<const std::uint64_t>& words) {
  const auto sent = to_host(words);
  std::vector<std::vector<std::int64_t>> to(static_cast<std::size_t>(ranks.size()));
  for (std::size_t k = 0; k < others.size(); ++k)
    to[static_cast<std::size_t>(others[k])].assign(sent.data() + offsets[k], sent.data() + offsets[k + 1]);
  const std::vector<std::vector<std::int64_t>> from = ranks.exchange(to);
  ReceivedWords received{{0}, {}};
  for (const int other : others)
    received.offsets.push_back(received.offsets.back() + from[static_cast<std::size_t>(other)].size());
  const Vector<std::uint64_t> all = make_vector<std::uint64_t>("messages/words", received.offsets.back());
  for (std::size_t k = 0; k < others.size(); ++k) {
    const std::vector<std::int64_t>& of_rank = from[static_cast<std::size_t>(others[k])];
    Kokkos::deep_copy(
        slice(all, received.offsets[k], of_rank.size()),
        HostVector<const std::uint64_t>(reinterpret_cast<const std::uint64_t*>(of_rank.data()), of_rank.size()));
  }
  received.words = all;
  return received;
}

}  // namespace

/// Each round moves as much of each message as there is room for in the receiver's memory, in equal parts for all
/// senders.
ReceivedWords exchange_words(const Communicator& ranks, const std::vector<int>& others,
                             const std::vector<std::size_t>& offsets, const Vector<const std::uint64_t>& words) {
  const std::shared_ptr<const PeerMemory> memory = uses_peers(ranks) ? lend_memory(ranks) : nullptr;
  if (!memory) return exchange_by_host(ranks, others, offsets, words);
  const auto size = static_cast<std::size_t>(ranks.size()), own = static_cast<std::size_t>(ranks.rank());
  std::vector<std::int64_t> to_each(size, 0);
  for (std::size_t k = 0; k < others.size(); ++k)
    to_each[static_cast<std::size_t>(others[k])] = static_cast<std::int64_t>(offsets[k + 1] - offsets[k]);
  const std::vector<std::int64_t> counts = ranks.gather(to_each);  // (from, to)
  const auto most = static_cast<std::size_t>(*std::max_element(counts.begin(), counts.end()));
  ReceivedWords received{{0}, {}};
  for (const int other : others)
    received.offsets.push_back(received.offsets.back() +
                               static_cast<std::size_t>(counts[static_cast<std::size_t>(other) * size + own]));
  const Vector<std::uint64_t> all = make_vector<std::uint64_t>("messages/words", received.offsets.back());
  const std::size_t room = lent_bytes / sizeof(std::uint64_t) / size;
  const auto part = [](const std::vector<std::size_t>& of, std::size_t k, std::size_t begin) {
    return std::min(of[k] + begin, of[k + 1]);
  };
  for (std::size_t begin = 0; begin < most; begin += room) {
    for (std::size_t k = 0; k < others.size(); ++k) {
      const std::size_t first = part(offsets, k, begin), count = part(offsets, k, begin + room) - first;
      Kokkos::deep_copy(ExecutionSpace(), words_at(memory->of(others[k]), own * room, count),
                        slice(words, first, count));
    }
    Kokkos::fence();
    ranks.barrier();  // all have been sent
    for (std::size_t k = 0; k < others.size(); ++k) {
      const std::size_t first = part(received.offsets, k, begin),
                        count = part(received.offsets, k, begin + room) - first;
      Kokkos::deep_copy(ExecutionSpace(), slice(all, first, count),
                        words_at(memory->of(ranks.rank()), static_cast<std::size_t>(others[k]) * room, count));
    }
    Kokkos::fence();
    if (begin + room < most) ranks.barrier();  // all have been read; the next call begins with counts of all
  }
  received.words = all;
  return received;
}

}  // namespace miniapp::messages
