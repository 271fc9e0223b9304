// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/instance.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/messages/messages.hpp"

namespace miniapp::space {

namespace detail {

/// Functors, since clients compile them: for a lambda nvcc emits pointers in every translation unit, and the linker
/// mixes them up.

/// Copies of entries on several ranks, k the index of an entry that others have too. Its sources are those that have
/// it, in the order of ranks: the item that is received from there, or `itself`, this rank. The item of the same number
/// is sent there.
template <class Real>
struct Copies {
  static constexpr Index itself = -1, several = -1;
  const Index* entries;
  const Index* partners;           ///< (k): the item of the only other rank that has it, or `several`
  const Index *offsets, *sources;  ///< sources[offsets[k] .. offsets[k + 1])
  Real* y;
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, std::size_t k) const {
    team.prefetch(entries + k);
    team.prefetch(partners + k);
  }
};
/// Sends y (entry k) to all others that have it.
template <class Real>
struct SendCopies : Copies<Real> {
  template <class Send>
  KOKKOS_FUNCTION void operator()(const std::size_t k, const Send& send) const {
    const Index partner = this->partners[k];
    const Real own = this->y[this->entries[k]];
    if (partner != this->several) return send(static_cast<std::size_t>(partner), own);
    for (Index s = this->offsets[k]; s < this->offsets[k + 1]; ++s)
      if (this->sources[s] != this->itself) send(static_cast<std::size_t>(this->sources[s]), own);
  }
};
/// y (entry k) = the sum of what all ranks have, in the order of ranks: of two any order gives the same bits.
template <class Real>
struct SumInOrder : Copies<Real> {
  template <class Receive>
  KOKKOS_FUNCTION void operator()(const std::size_t k, const Receive& receive) const {
    Real& own = this->y[this->entries[k]];
    if (const Index partner = this->partners[k]; partner != this->several) {
      own += receive(static_cast<std::size_t>(partner));
      return;
    }
    Real sum = 0;
    for (Index s = this->offsets[k]; s < this->offsets[k + 1]; ++s)
      sum += this->sources[s] == this->itself ? own : receive(static_cast<std::size_t>(this->sources[s]));
    own = sum;
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

/// The entries of vectors that this rank and another one both have, each once, in the order on which the two agree.
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
  std::size_t items() const { return num_items_; }
  int neighbours() const { return neighbours_; }
  /// How they travel: not automatic.
  Halo halo() const { return messages_.halo(); }
  /// Whether sum() and reduce() wait for the instance.
  bool waits() const { return messages_.waits(); }
  /// Entries that other ranks have too, each once.
  const Vector<const Index>& shared() const { return entries_; }

  /// Each copy of an entry of y becomes the sum of all copies, added in the order of ranks. Also reduces `count` sums
  /// on the device, as reduce() does, at the same time.
  template <class Real>
  void sum(const Instance& instance, const Vector<Real>& y, double* sums = nullptr, int count = 0) const;
  /// sum(), and a round of other messages of the same ranks, which sends no shared() entries of y.
  template <class Real, class Round>
  void sum_with(const Instance& instance, const Vector<Real>& y, const messages::Messages& others,
                const Round& round_of_others) const {
    messages_.exchange_both<Real>(instance, "space/sum", round<Real>(y), others, round_of_others);
  }
  /// sum() in two steps; between them y may be changed at entries that only this rank has.
  template <class Real>
  void start(const Instance& instance, const Vector<Real>& y) const;
  template <class Real>
  void finish(const Instance& instance, const Vector<Real>& y, double* sums = nullptr, int count = 0) const;
  /// y = 0 at entries that this rank does not own.
  template <class Real>
  void zero_others(const Instance& instance, const Vector<Real>& y) const;
  /// Each copy of an entry becomes its owner's.
  template <class Real>
  void copy_from_owners(const Instance& instance, const Vector<Real>& y) const {
    if (items() == 0) return;
    zero_others<Real>(instance, y);
    sum<Real>(instance, y);
  }
  /// sums[0 .. count) on the device become those of all ranks. Errors: more than messages::PeerSums::most (InputError).
  void reduce(const Instance& instance, double* sums, int count) const { messages_.reduce(instance, sums, count); }
  /// The sum of a number of the host over all ranks.
  double reduce(double sum) const { return ranks_.sum(sum); }

 private:
  template <class Real>
  messages::Round<detail::SendCopies<Real>, detail::SumInOrder<Real>> round(const Vector<Real>& y) const {
    const detail::Copies<Real> copies{entries_.data(), partners_.data(), offsets_.data(), sources_.data(), y.data()};
    return {entries_.extent(0), {copies}, entries_.extent(0), {copies}};
  }

  Communicator ranks_;
  int neighbours_ = 0;
  std::size_t num_items_ = 0;
  Vector<const Index> entries_, partners_, offsets_, sources_;  ///< lists of Copies; entries by their first items
  Vector<const unsigned char> owned_;
  Vector<const Index> not_owned_;
  std::vector<Index> not_owned_host_;
  messages::Messages messages_;
};

}  // namespace miniapp::space
