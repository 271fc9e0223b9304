// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "miniapp/messages/messages.hpp"

namespace miniapp::linalg {

/// Item (other rank, i) is the value of owned entry i.
template <class Real>
struct SendOwned {
  const Index* owned;
  std::size_t count;
  const Real* from;
  template <class Send>
  KOKKOS_FUNCTION void operator()(const std::size_t item, const Send& send) const {
    send(item, from[owned[item % count]]);
  }
};

/// all (number): a received item, or ~entry of this rank's.
template <class Real>
struct ReceiveAll {
  const Index* sources;
  const Real* from;
  Real* all;
  template <class Receive>
  KOKKOS_FUNCTION void operator()(const std::size_t number, const Receive& receive) const {
    const Index source = sources[number];
    all[number] = source < 0 ? from[~source] : receive(static_cast<std::size_t>(source));
  }
};

/// The values of all ranks on each.
class Gathered {
 public:
  Gathered() = default;
  /// `owned` (i): an entry of this rank's vectors; numbers (i): which of `size` numbers it is; every one is that of one
  /// entry of one rank. `bytes`: of a value. Collective. Errors: as messages::Messages.
  Gathered(const Communicator& ranks, const std::vector<Index>& owned, const std::vector<std::int64_t>& numbers,
           std::size_t size, std::size_t bytes)
      : owned_(to_device("linalg/owned", owned)) {
    const std::vector<std::int64_t> offsets = ranks.offsets(static_cast<std::int64_t>(owned.size()));
    std::vector<std::int64_t> of_all(static_cast<std::size_t>(offsets.back()));
    ranks.gather(numbers.data(), of_all.data(), offsets, sizeof(std::int64_t));
    std::vector<int> others;
    std::vector<std::size_t> sent{0}, received{0};
    std::vector<Index> sources(size, ~Index(0));
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(rank)]),
                 end = static_cast<std::size_t>(offsets[static_cast<std::size_t>(rank) + 1]);
      for (std::size_t i = begin; i < end; ++i)
        sources[static_cast<std::size_t>(of_all[i])] =
            rank == ranks.rank() ? ~owned[i - begin] : static_cast<Index>(received.back() + i - begin);
      if (rank == ranks.rank()) continue;
      others.push_back(rank);
      sent.push_back(sent.back() + owned.size());
      received.push_back(received.back() + end - begin);
    }
    num_sent_ = sent.back();
    sources_ = to_device("linalg/sources", sources);
    messages_ = {ranks, std::move(others), std::move(sent), std::move(received), bytes};
  }

  /// all (number) = the value that the rank that owns it has in `from`. Collective.
  template <class Real>
  void run(const Instance& instance, const Vector<const Real>& from, const Vector<Real>& all) const {
    messages_.send<Real>(instance, "linalg/send owned", num_sent_,
                         SendOwned<Real>{owned_.data(), owned_.extent(0), from.data()});
    messages_.receive<Real>(instance, "linalg/receive all", sources_.extent(0),
                            ReceiveAll<Real>{sources_.data(), from.data(), all.data()});
  }
  /// Whether run() waits for the instance.
  bool waits() const { return messages_.waits(); }
  /// Memory of this rank's lists [bytes].
  double bytes() const {
    return messages_.bytes() + double(sizeof(Index)) * double(owned_.extent(0) + sources_.extent(0));
  }

 private:
  Vector<const Index> owned_, sources_;
  std::size_t num_sent_ = 0;
  messages::Messages messages_;
};

}  // namespace miniapp::linalg
