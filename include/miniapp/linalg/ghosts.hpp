// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/instance.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"
#include "miniapp/space/exchange.hpp"

namespace miniapp::linalg {

/// Fetches what a vector has at the ghosts of a distributed matrix: other ranks send it, by messages from host to host.
/// (space::Exchange sums copies of unknowns, both ways; here values travel one way, from the rank that has the row.)
/// The device may work between start() and finish(), on anything but these values. On one rank nothing does anything.
template <class Real>
class Ghosts {
 public:
  explicit Ghosts(const DistributedMatrix& matrix)
      : messages_(matrix.neighbours.empty()
                      ? Communicator::Messages()
                      : Communicator::Messages(matrix.ranks, matrix.neighbours, matrix.item_offsets)),
        rows_(to_device("linalg/sent", matrix.sent)),
        send_(make_vector<Real>("linalg/send", matrix.sent.size())),
        values_(make_vector<Real>("linalg/ghosts", matrix.sent.size())),
        send_host_(Kokkos::create_mirror_view(PinnedSpace(), send_)),
        values_host_(Kokkos::create_mirror_view(PinnedSpace(), values_)) {}

  /// What a fetch sends, and receives [items].
  std::size_t num_items() const { return rows_.extent(0); }

  /// Sends what neighbours need of x (own row). Collective.
  void start(const Instance& instance, const Vector<const Real>& x) const {
    if (num_items() == 0) return;
    Kokkos::parallel_for("linalg/pack", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, num_items()),
                         space::detail::Pack<Real>{rows_.data(), x.data(), send_.data()});
    if constexpr (!runs_on_host) Kokkos::deep_copy(instance.space(), send_host_, send_);
    instance.fence();
    messages_.start(send_host_.data(), values_host_.data(), sizeof(Real));
  }
  /// The values (item) that were fetched.
  const Vector<Real>& finish(const Instance& instance) const {
    if (num_items() == 0) return values_;
    messages_.finish();
    if constexpr (!runs_on_host) Kokkos::deep_copy(instance.space(), values_, values_host_);
    return values_;
  }

 private:
  Communicator::Messages messages_;
  Vector<const Index> rows_;
  Vector<Real> send_, values_;
  PinnedVector<Real> send_host_, values_host_;
};

}  // namespace miniapp::linalg
