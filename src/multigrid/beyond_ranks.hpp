// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "miniapp/messages/buffered_messages.hpp"
#include "miniapp/messages/peers.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "space/join.hpp"

namespace miniapp::multigrid {

/// What the boxes of Schwarz take from beyond faces between ranks: the values of the other rank's nodes next to the
/// face. Empty on one rank.
class BeyondRanks {
 public:
  BeyondRanks() = default;
  /// `faces`: those that this rank shares, in the order on which both ranks agree.
  BeyondRanks(const Discretisation& d, const std::vector<space::SharedFace>& faces);

  std::size_t num_values() const { return num_values_; }
  /// The value beyond node (a, b) of shared face f, a along the first of the element's directions in the face, numbered
  /// behind the nodes: nodes + its place among the values of a component.
  Index place(std::size_t f, int a, int b) const;

  /// to (component, value), `stride` from one component to the next, = f - y beyond; no y: zero. f and y are
  /// (component, node).
  void fetch(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y, float* to,
             std::size_t stride) const;
  /// Whether fetch() waits for the instance.
  bool waits() const { return num_values_ > 0 && !messages_of_peers_.possible() && messages_.waits(); }

 private:
  /// How a face's nodes are listed, on which both ranks agree: from the corner with the lowest number, first along the
  /// edge to the lower of the two next ones.
  struct Listing {
    bool from_last[2];  ///< along the face's directions
    bool first_is_second;
    int place(int n, int a, int b) const;
  };

  int n_ = 0;
  std::size_t nodes_ = 0, num_values_ = 0;
  std::vector<Listing> listings_;  ///< (face)
  messages::PeerMessages messages_of_peers_;
  messages::BufferedMessages messages_;  ///< where that is not possible
  Vector<const Index> sent_;             ///< (item): entry of vectors; negative: zero is sent
  Vector<const Index> received_;         ///< (component, value): item
};

}  // namespace miniapp::multigrid
