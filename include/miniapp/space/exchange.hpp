// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

  /// Each copy of an entry of y becomes the sum of all copies, added in the order of ranks.
  template <class Real>
  void sum(const Instance& instance, const Vector<Real>& y) const {
    if (items() == 0) return;
    using Items = Kokkos::RangePolicy<ExecutionSpace>;
    Real* const send = reinterpret_cast<Real*>(buffers_->send.data());
    Real* const received = reinterpret_cast<Real*>(buffers_->received.data());
    Kokkos::parallel_for("space/pack", Items(instance.space(), 0, items()),
                         detail::Pack<Real>{items_.data(), y.data(), send});
    swap(instance, sizeof(Real));
    Kokkos::parallel_for(
        "space/sum in order", Items(instance.space(), 0, entries_.extent(0)),
        detail::SumInOrder<Real>{entries_.data(), offsets_.data(), sources_.data(), received, y.data()});
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
  /// Sends what is packed, and receives; waits for both. Items have `bytes` each.
  void swap(const Instance& instance, std::size_t bytes) const;

  /// On the device, and on the host where that is elsewhere; of at most 8 bytes per item.
  struct Buffers {
    Vector<double> send, received;
    Vector<double>::HostMirror send_host, received_host;
  };

  Communicator ranks_;
  Communicator::Messages messages_;
  int neighbours_ = 0;
  Vector<const Index> items_;                        ///< (item): the entry that is sent
  Vector<const Index> entries_, offsets_, sources_;  ///< shared entries k, ascending; sources: offsets[k] .. [k + 1]
  Vector<const unsigned char> owned_;
  std::vector<unsigned char> owned_host_;
  std::shared_ptr<Buffers> buffers_;
};

}  // namespace miniapp::space
