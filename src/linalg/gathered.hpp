// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "miniapp/messages/messages.hpp"

namespace miniapp::linalg {

/// Item (other rank, i) is the value of entry i.
template <class Real>
struct SendEntries {
  const Index* entries;
  std::size_t count;
  const Real* from;
  template <class Send>
  KOKKOS_FUNCTION void operator()(const std::size_t item, const Send& send) const {
    send(item, from[entries[item % count]]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, std::size_t item) const {
    team.prefetch(entries + item % count);
  }
};

/// all (number) = the sum of its sources, in the order of ranks: received items, and ~entry of this rank's.
template <class Real>
struct SumSources {
  const Index *offsets, *sources;
  const Real* from;
  Real* all;
  template <class Receive>
  KOKKOS_FUNCTION void operator()(const std::size_t number, const Receive& receive) const {
    Real sum = 0;
    for (Index s = offsets[number]; s < offsets[number + 1]; ++s) {
      const Index source = sources[s];
      sum += source < 0 ? from[~source] : receive(static_cast<std::size_t>(source));
    }
    all[number] = sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, std::size_t number) const {
    team.prefetch(offsets + number);
  }
};

/// The values of all ranks on each.
class Gathered {
 public:
  Gathered() = default;
  /// `entries` (i): an entry of this rank's vectors; numbers (i): which of `size` numbers it is. Where
  /// several ranks have a number, their values are added. `bytes`: of a value. Collective. Errors: as
  /// messages::Messages.
  Gathered(const Communicator& ranks, const std::vector<Index>& entries, const std::vector<std::int64_t>& numbers,
           std::size_t size, std::size_t bytes)
      : entries_(to_device("linalg/gathered", entries)) {
    const std::vector<std::int64_t> offsets = ranks.offsets(static_cast<std::int64_t>(entries.size()));
    std::vector<std::int64_t> of_all(static_cast<std::size_t>(offsets.back()));
    ranks.gather(numbers.data(), of_all.data(), offsets, sizeof(std::int64_t));
    std::vector<int> others;
    std::vector<std::size_t> sent{0}, received{0};
    std::vector<Index> starts(size + 1, 0), sources(of_all.size());
    for (const std::int64_t number : of_all) ++starts[static_cast<std::size_t>(number) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<Index> next(starts.begin(), starts.end() - 1);
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(rank)]),
                 end = static_cast<std::size_t>(offsets[static_cast<std::size_t>(rank) + 1]);
      for (std::size_t i = begin; i < end; ++i)
        sources[next[static_cast<std::size_t>(of_all[i])]++] =
            rank == ranks.rank() ? ~entries[i - begin] : static_cast<Index>(received.back() + i - begin);
      if (rank == ranks.rank()) continue;
      others.push_back(rank);
      sent.push_back(sent.back() + entries.size());
      received.push_back(received.back() + end - begin);
    }
    num_sent_ = sent.back();
    offsets_ = to_device("linalg/gathered/offsets", starts);
    sources_ = to_device("linalg/gathered/sources", sources);
    messages_ = {ranks, std::move(others), std::move(sent), std::move(received), bytes};
  }

  /// all (number) = the sum of what the ranks that have it have in `from`. Collective.
  template <class Real>
  void run(const Instance& instance, const Vector<const Real>& from, const Vector<Real>& all) const {
    const SendEntries<Real> send{entries_.data(), entries_.extent(0), from.data()};
    const SumSources<Real> receive{offsets_.data(), sources_.data(), from.data(), all.data()};
    messages_.exchange<Real>(instance, "linalg/gather", messages::Round{num_sent_, send, all.extent(0), receive});
  }
  /// Whether run() waits for the instance.
  bool waits() const { return messages_.waits(); }
  /// Memory of this rank's lists [bytes].
  double bytes() const {
    return messages_.bytes() +
           double(sizeof(Index)) * double(entries_.extent(0) + offsets_.extent(0) + sources_.extent(0));
  }

 private:
  Vector<const Index> entries_, offsets_, sources_;
  std::size_t num_sent_ = 0;
  messages::Messages messages_;
};

}  // namespace miniapp::linalg
