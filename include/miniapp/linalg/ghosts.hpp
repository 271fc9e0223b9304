// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/instance.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"
#include "miniapp/messages/messages.hpp"
#include "miniapp/space/exchange.hpp"

namespace miniapp::linalg {

namespace detail {

/// Sends x (rows (item)).
template <class Real>
struct SendRows {
  const Index* rows;
  const Real* x;
  template <class Send>
  KOKKOS_FUNCTION void operator()(const std::size_t item, const Send& send) const {
    send(item, x[rows[item]]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, std::size_t item) const { team.prefetch(rows + item); }
};
/// values (item) = what was received.
template <class Real>
struct StoreItems {
  Real* values;
  template <class Receive>
  KOKKOS_FUNCTION void operator()(const std::size_t item, const Receive& receive) const {
    values[item] = receive(item);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void prefetch(const Team&, std::size_t) {}
};

}  // namespace detail

/// Fetches what a vector has at the ghosts of a matrix that ranks share, by messages of other ranks. (space::Exchange
/// sums copies of unknowns, both ways; here values travel one way, from the rank that has the row.) The device may work
/// between start() and finish(), on anything but these values. On one rank nothing does anything.
template <class Real>
class Ghosts {
 public:
  Ghosts() = default;
  /// How values travel is items.ranks.halo(). Collective. Errors: InputError where that is not possible.
  explicit Ghosts(const GhostItems& items)
      : messages_(items.ranks, items.neighbours, items.item_offsets, items.item_offsets, sizeof(Real)),
        rows_(to_device("linalg/sent", items.sent)),
        values_(make_vector<Real>("linalg/ghosts", items.sent.size())) {}

  /// What a fetch sends, and receives [items].
  std::size_t num_items() const { return rows_.extent(0); }
  /// How values travel: not automatic.
  Halo halo() const { return messages_.halo(); }
  /// Whether finish() waits for the instance.
  bool waits() const { return messages_.waits(); }

  /// Sends what neighbours need of x (own row). Collective.
  void start(const Instance& instance, const Vector<const Real>& x) const {
    if (num_items() > 0)
      messages_.start<Real>(instance, "linalg/send", num_items(), detail::SendRows<Real>{rows_.data(), x.data()});
  }
  /// The values (item) that were fetched.
  const Vector<Real>& finish(const Instance& instance) const {
    finish(instance, values_.data());
    return values_;
  }
  /// The messages, for kernels that receive by themselves (Messages::has_peers()).
  const messages::Messages& messages() const { return messages_; }
  /// Both, of a vector that has a place for each item after this rank's entries. Collective.
  void fetch(const Instance& instance, const Vector<Real>& x) const {
    if (num_items() == 0) return;
    const detail::SendRows<Real> send{rows_.data(), x.data()};
    const detail::StoreItems<Real> receive{x.data() + x.extent(0) - num_items()};
    messages_.exchange<Real>(instance, "linalg/fetch", messages::Round{num_items(), send, num_items(), receive});
  }

 private:
  void finish(const Instance& instance, Real* values) const {
    if (num_items() > 0)
      messages_.finish<Real>(instance, "linalg/receive", num_items(), detail::StoreItems<Real>{values});
  }

  messages::Messages messages_;
  Vector<const Index> rows_;
  Vector<Real> values_;
};

}  // namespace miniapp::linalg
