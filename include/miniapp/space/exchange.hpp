// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/instance.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/messages/buffered_messages.hpp"
#include "miniapp/messages/peers.hpp"

namespace miniapp::messages {
class Nccl;
}

namespace miniapp::space {

namespace detail {

/// Functors, since clients compile them: for a lambda nvcc emits pointers in every translation unit, and the linker
/// mixes them up.

/// send (item) = y (entries (item)).
template <class Real>
struct Pack {
  const Index* entries;
  const Real* y;
  Real* send;
  KOKKOS_FUNCTION void operator()(const std::size_t item) const { send[item] = y[entries[item]]; }
};

/// Sends y (entries (item)) to other ranks, and sums where there are more threads than items.
template <class Real>
struct SendToPeers {
  messages::PeerMessages::Sender<Real> send;
  messages::PeerSums::Body sums;
  std::size_t items;
  const Index* entries;
  const Real* y;
  const double* own;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    if (i < items)
      send(i, y[entries[i]]);
    else
      sums.send(static_cast<int>(i - items), own[i - items]);
  }
};

/// y (entry k) = the sum of what all ranks have, in the order of ranks: source -1 is y itself, others are received.
template <class Real>
struct SumInOrder {
  const Index *entries, *offsets, *sources;
  Real* y;
  template <class Received>
  KOKKOS_FORCEINLINE_FUNCTION void add(std::size_t k, const Received& received) const {
    Real& own = y[entries[k]];
    Real sum = 0;
    for (Index s = offsets[k]; s < offsets[k + 1]; ++s)
      sum += sources[s] < 0 ? own : received(static_cast<std::size_t>(sources[s]));
    own = sum;
  }
};

/// The same where a message brought what was received.
template <class Real>
struct SumMessages {
  SumInOrder<Real> sum;
  const Real* received;
  KOKKOS_FUNCTION void operator()(const std::size_t k) const {
    sum.add(k, [&](std::size_t item) { return received[item]; });
  }
};

/// Sums of all ranks.
struct SumsOfPeers {
  messages::PeerSums::Body sums;
  bool are_sent;
  double* own;
  KOKKOS_FUNCTION void operator()(const int sum) const {
    if (!are_sent) sums.send(sum, own[sum]);
    own[sum] = sums.receive(sum, own[sum]);
  }
};

/// As SumMessages from other ranks, and sums where there are more threads than entries.
template <class Real>
struct SumFromPeers {
  SumInOrder<Real> sum;
  messages::PeerMessages::Receiver<Real> receive;
  std::size_t entries;
  SumsOfPeers sums;
  KOKKOS_FUNCTION void operator()(const std::size_t k) const {
    if (k >= entries) return sums(static_cast<int>(k - entries));
    sum.add(k, receive);
    if (k == 0) receive.finish();
  }
};

/// y (others (i)) = 0.
template <class Real>
struct ZeroOthers {
  const Index* others;
  Real* y;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const { y[others[i]] = 0; }
};

}  // namespace detail

/// The entries of vectors that this rank and another one both have, in the order on which the two agree.
struct SharedEntries {
  int rank;
  std::vector<Index> entries;
};

/// Sums over the ranks of a mesh that is distributed: every rank has the elements of its part, and all unknowns of
/// these elements. So unknowns between parts have copies on several ranks; the lowest of these ranks owns it. All
/// vectors of solvers have the same value in every copy, to the last bit: sums over elements are completed by sum(),
/// and other operations on entries do the same on each rank. Inner products count owned entries only. On one rank
/// nothing does anything.
class Exchange {
 public:
  Exchange() = default;
  /// `shared`: by ascending rank, for vectors of num_entries; none is empty. How values travel is ranks.halo().
  /// Collective. Errors: InputError where that is not possible.
  Exchange(Communicator ranks, const std::vector<SharedEntries>& shared, std::size_t num_entries);

  /// Whether there is one rank.
  bool empty() const { return ranks_.is_alone(); }
  const Communicator& ranks() const { return ranks_; }
  /// (entry): 1 where this rank owns it, else 0; empty on one rank.
  const Vector<const unsigned char>& owned() const { return owned_; }
  /// The same on the host.
  bool owns(std::size_t entry) const {
    return !std::binary_search(not_owned_host_.begin(), not_owned_host_.end(), static_cast<Index>(entry));
  }
  /// The entries that this rank does not own, ascending.
  const Vector<const Index>& not_owned() const { return not_owned_; }
  /// The same on the host.
  const std::vector<Index>& not_owned_on_host() const { return not_owned_host_; }
  /// What one sum() sends [items], and to how many ranks.
  std::size_t items() const { return items_.extent(0); }
  int neighbours() const { return neighbours_; }
  /// How they travel: not automatic.
  Halo halo() const { return sums_of_peers_.possible() ? Halo::peer : messages_.halo(); }
  /// Whether sum() and reduce() wait for the instance.
  bool waits() const { return !empty() && halo() != Halo::peer && messages_.waits(); }
  /// Entries that other ranks have too, ascending.
  const Vector<const Index>& shared() const { return entries_; }

  /// Each copy of an entry of y becomes the sum of all copies, added in the order of ranks. Also reduces `count` sums
  /// on the device, as reduce() does, at the same time.
  template <class Real>
  void sum(const Instance& instance, const Vector<Real>& y, double* sums = nullptr, int count = 0) const {
    if (items() == 0) return reduce(instance, sums, count);
    require_few(count);
    if (halo() == Halo::peer) {
      send_to_peers<Real>(instance, y, sums, count);
      return sum_from_peers<Real>(instance, y, sums, count, true);
    }
    pack<Real>(instance, y);
    if (!waits()) {
      messages_.swap(instance, sizeof(Real));
      sum_received<Real>(instance, y);
      return reduce(instance, sums, count);
    }
    copy_sums(instance, sums, count);
    messages_.swap(instance, sizeof(Real), [&] { sum_copied(count); });
    sum_received<Real>(instance, y);
    return_sums(instance, sums, count);
  }
  /// sum() in two steps; between them y may be changed at entries that only this rank has.
  template <class Real>
  void start(const Instance& instance, const Vector<Real>& y) const {
    if (items() == 0) return;
    if (halo() == Halo::peer) return send_to_peers<Real>(instance, y, nullptr, 0);
    pack<Real>(instance, y);
    messages_.start(instance, sizeof(Real));
  }
  template <class Real>
  void finish(const Instance& instance, const Vector<Real>& y, double* sums = nullptr, int count = 0) const {
    if (items() == 0) return reduce(instance, sums, count);
    require_few(count);
    if (halo() == Halo::peer) return sum_from_peers<Real>(instance, y, sums, count, false);
    messages_.finish(instance, sizeof(Real));
    sum_received<Real>(instance, y);
    reduce(instance, sums, count);
  }
  /// y = 0 at entries that this rank does not own.
  template <class Real>
  void zero_others(const Instance& instance, const Vector<Real>& y) const {
    if (not_owned_.extent(0) == 0) return;
    Kokkos::parallel_for("space/zero others", Items(instance.space(), 0, not_owned_.extent(0)),
                         detail::ZeroOthers<Real>{not_owned_.data(), y.data()});
  }
  /// Each copy of an entry becomes its owner's.
  template <class Real>
  void copy_from_owners(const Instance& instance, const Vector<Real>& y) const {
    if (items() == 0) return;
    zero_others<Real>(instance, y);
    sum<Real>(instance, y);
  }
  /// sums[0 .. count) on the device become those of all ranks. Errors: more than messages::PeerSums::most (InputError).
  void reduce(const Instance& instance, double* sums, int count) const;
  /// The same for a number of the host.
  double reduce(double sum) const { return ranks_.sum(sum); }

 private:
  using Items = Kokkos::RangePolicy<ExecutionSpace>;
  static void require_few(int count);
  template <class Real>
  detail::SumInOrder<Real> in_order(const Vector<Real>& y) const {
    return {entries_.data(), offsets_.data(), sources_.data(), y.data()};
  }
  template <class Real>
  void send_to_peers(const Instance& instance, const Vector<Real>& y, const double* sums, int count) const {
    Kokkos::parallel_for("space/send", Items(instance.space(), 0, items() + static_cast<std::size_t>(count)),
                         detail::SendToPeers<Real>{messages_of_peers_.sender<Real>(), sums_of_peers_.body(), items(),
                                                   items_.data(), y.data(), sums});
  }
  template <class Real>
  void sum_from_peers(const Instance& instance, const Vector<Real>& y, double* sums, int count, bool are_sent) const {
    const std::size_t entries = entries_.extent(0);
    Kokkos::parallel_for(
        "space/sum in order", Items(instance.space(), 0, entries + static_cast<std::size_t>(count)),
        detail::SumFromPeers<Real>{
            in_order<Real>(y), messages_of_peers_.receiver<Real>(), entries, {sums_of_peers_.body(), are_sent, sums}});
  }
  template <class Real>
  void pack(const Instance& instance, const Vector<Real>& y) const {
    Kokkos::parallel_for("space/pack", Items(instance.space(), 0, items()),
                         detail::Pack<Real>{items_.data(), y.data(), messages_.send<Real>()});
  }
  template <class Real>
  void sum_received(const Instance& instance, const Vector<Real>& y) const {
    Kokkos::parallel_for("space/sum in order", Items(instance.space(), 0, entries_.extent(0)),
                         detail::SumMessages<Real>{in_order<Real>(y), messages_.received<Real>()});
  }
  /// Copies sums to the host and back, without waiting; what is copied becomes that of all ranks.
  void copy_sums(const Instance& instance, const double* sums, int count) const;
  void return_sums(const Instance& instance, double* sums, int count) const;
  void sum_copied(int count) const;

  Communicator ranks_;
  int neighbours_ = 0;
  Vector<const Index> items_;                        ///< (item): the entry that is sent
  Vector<const Index> entries_, offsets_, sources_;  ///< shared entries k, ascending; sources: offsets[k] .. [k + 1]
  Vector<const unsigned char> owned_;
  Vector<const Index> not_owned_;
  std::vector<Index> not_owned_host_;
  messages::PeerMessages messages_of_peers_;
  messages::PeerSums sums_of_peers_;  ///< not possible: by messages
  messages::BufferedMessages messages_;
  std::shared_ptr<const messages::Nccl> nccl_;
  PinnedVector<double> sums_;
};

}  // namespace miniapp::space
