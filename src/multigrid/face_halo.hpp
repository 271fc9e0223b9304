// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "miniapp/messages/messages.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "space/join.hpp"

namespace miniapp::multigrid {

/// The halo of Schwarz' boxes: at each face between ranks the values of the other rank's layer of nodes next to it.
/// Empty on one rank.
class FaceHalo {
 public:
  FaceHalo() = default;
  /// `faces`: those that this rank shares, in the order on which both ranks agree. Collective.
  FaceHalo(const Discretisation& d, const std::vector<space::SharedFace>& faces);

  std::size_t num_values() const { return num_values_; }
  /// Where the halo has the value behind node (a, b) of shared face f, a along the first of the element's directions in
  /// the face. Places are numbered after the nodes: nodes + the place among the values of a component.
  Index place(std::size_t f, int a, int b) const;

  /// to (component, value) = f - y in the halo, or f where there is no y; `stride` from one component to the next. f
  /// and y are (component, node). `unsummed` is f, y or empty: it is summed over ranks first.
  void fetch(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y, float* to,
             std::size_t stride, const Vector<float>& unsummed = {}) const;
  /// Whether fetch() waits for the instance.
  bool waits() const { return num_values_ > 0 && messages_.waits(); }

 private:
  /// How a face's n x n nodes are listed, on which both ranks agree: from the corner whose number in the whole mesh is
  /// the lowest, first along the edge to the lower one of the two corners next to it. An element, whose directions in
  /// the face are a and b, sees nodes 0 and 1 of the list in one of eight ways:
  ///
  ///     b              . . .   . . .   . . .   . . .   0 1 .   . 1 0   0 . .   . . 0
  ///     |              . . .   . . .   1 . .   . . 1   . . .   . . .   1 . .   . . 1
  ///     +--> a         0 1 .   . 1 0   0 . .   . . 0   . . .   . . .   . . .   . . .
  ///
  ///     from_last        -       a       -       a       b      a, b     b      a, b
  ///     first along      a       a       b       b       a       a       b       b
  struct Listing {
    bool from_last[2];     ///< whether the list begins at the last node along a, along b
    bool first_is_second;  ///< whether it runs first along b
    int place(int n, int a, int b) const;
  };

  const space::Exchange* exchange_ = nullptr;
  bool sends_shared_ = false;  ///< whether some of what this rank sends are nodes that it shares
  int n_ = 0;
  std::size_t nodes_ = 0, num_values_ = 0;
  std::vector<Listing> listings_;  ///< (face)
  messages::Messages messages_;
  Vector<const Index> sent_;      ///< (item): entry of vectors; negative: zero is sent
  Vector<const Index> received_;  ///< (component, value): item
};

}  // namespace miniapp::multigrid
