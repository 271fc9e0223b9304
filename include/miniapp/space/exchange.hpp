// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/instance.hpp"
#include "miniapp/core/map.hpp"

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

/// The same into arrays of other ranks: item slots (item) of the array at bases (item), `shift` bytes on.
template <class Real>
struct PackIntoPeers {
  const Index* entries;
  const std::uint64_t* bases;
  const Index* slots;
  std::size_t shift;
  const Real* y;
  KOKKOS_FUNCTION void operator()(const std::size_t item) const {
    reinterpret_cast<Real*>(bases[item] + shift)[slots[item]] = y[entries[item]];
  }
};

/// y (entry k) = the sum of what all ranks have, in the order of ranks: source -1 is y itself, others are received.
template <class Real>
struct SumInOrder {
  const Index *entries, *offsets, *sources;
  const Real* received;
  Real* y;
  KOKKOS_FUNCTION void operator()(const std::size_t k) const {
    Real& own = y[entries[k]];
    Real sum = 0;
    for (Index s = offsets[k]; s < offsets[k + 1]; ++s) sum += sources[s] < 0 ? own : received[sources[s]];
    own = sum;
  }
};

template <class Real>
struct ZeroOthers {
  const unsigned char* owned;
  Real* y;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    if (!owned[i]) y[i] = 0;
  }
};

/// Arrays on GPUs of one host into which ranks store what they send to each other, two of each rank: while one is read
/// the other may be written. A rank that writes into the same again has heard from the others after they read it.
struct Peers {
  char* received = nullptr;  ///< (half, item)
  std::size_t half = 0;      ///< bytes of each
  Vector<const std::uint64_t> bases;
  Vector<const Index> slots;
  Communicator::Messages signals;  ///< a byte to each neighbour: everything is stored
  bool second = false;             ///< which half is next
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
  /// `shared`: by ascending rank, for vectors of num_entries.
  Exchange(Communicator ranks, const std::vector<SharedEntries>& shared, std::size_t num_entries);

  /// Whether there is one rank.
  bool empty() const { return ranks_.is_alone(); }
  const Communicator& ranks() const { return ranks_; }
  /// (entry): 1 where this rank owns it, else 0; empty on one rank.
  const Vector<const unsigned char>& owned() const { return owned_; }
  /// The same on the host.
  bool owns(std::size_t entry) const { return owned_host_[entry] != 0; }
  /// What one sum() sends [items], and to how many ranks.
  std::size_t items() const { return items_.extent(0); }
  int neighbours() const { return neighbours_; }
  /// How they travel: host or peer.
  Halo halo() const { return peers_ ? Halo::peer : Halo::host; }

  /// Each copy of an entry of y becomes the sum of all copies, added in the order of ranks. Also reduces `count` sums
  /// on the device, as reduce() does, without waiting for the instance once more.
  template <class Real>
  void sum(const Instance& instance, const Vector<Real>& y, double* sums = nullptr, int count = 0) const {
    if (items() == 0) return reduce(instance, sums, count);
    copy_sums(instance, sums, count);
    using Items = Kokkos::RangePolicy<ExecutionSpace>;
    const Items all(instance.space(), 0, items());
    const Real* received;
    if (peers_) {
      const std::size_t shift = peers_->second ? peers_->half : 0;
      Kokkos::parallel_for(
          "space/pack", all,
          detail::PackIntoPeers<Real>{items_.data(), peers_->bases.data(), peers_->slots.data(), shift, y.data()});
      signal_peers(instance, count);
      received = reinterpret_cast<const Real*>(peers_->received + shift);
    } else {
      Kokkos::parallel_for("space/pack", all,
                           detail::Pack<Real>{items_.data(), y.data(), reinterpret_cast<Real*>(buffers_->send.data())});
      swap(instance, sizeof(Real), count);
      received = reinterpret_cast<const Real*>(buffers_->received.data());
    }
    Kokkos::parallel_for(
        "space/sum in order", Items(instance.space(), 0, entries_.extent(0)),
        detail::SumInOrder<Real>{entries_.data(), offsets_.data(), sources_.data(), received, y.data()});
    return_sums(instance, sums, count);
  }
  /// Each copy of an entry becomes its owner's.
  template <class Real>
  void copy_from_owners(const Instance& instance, const Vector<Real>& y) const {
    if (items() == 0) return;
    Kokkos::parallel_for("space/zero others", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, y.extent(0)),
                         detail::ZeroOthers<Real>{owned_.data(), y.data()});
    sum<Real>(instance, y);
  }
  /// sums[0 .. count) on the device become those of all ranks. Waits for the instance, where there are several.
  void reduce(const Instance& instance, double* sums, int count) const;
  /// The same for a number of the host.
  double reduce(double sum) const { return ranks_.sum(sum); }

 private:
  /// Sends what is packed, and receives; waits for both, and reduces the sums on the host meanwhile. Items have `bytes`
  /// each.
  void swap(const Instance& instance, std::size_t bytes, int count) const;
  /// Tells neighbours that everything is stored with them, and waits for their word; reduces sums likewise.
  void signal_peers(const Instance& instance, int count) const;
  /// Copies sums to the host and back, without waiting.
  void copy_sums(const Instance& instance, const double* sums, int count) const;
  void return_sums(const Instance& instance, double* sums, int count) const;

  /// On the device, and on the host where that is elsewhere; of at most 8 bytes per item.
  struct Buffers {
    Vector<double> send, received;
    PinnedVector<double> send_host, received_host, sums;
  };

  Communicator ranks_;
  Communicator::Messages messages_;
  int neighbours_ = 0;
  Vector<const Index> items_;                        ///< (item): the entry that is sent
  Vector<const Index> entries_, offsets_, sources_;  ///< shared entries k, ascending; sources: offsets[k] .. [k + 1]
  Vector<const unsigned char> owned_;
  std::vector<unsigned char> owned_host_;
  std::shared_ptr<Buffers> buffers_;
  std::shared_ptr<detail::Peers> peers_;  ///< null: by messages of the host
};

}  // namespace miniapp::space
