// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/multigrid/schwarz.hpp"
#include "multigrid/face_halo.hpp"
#include "multigrid/line_modes.hpp"

namespace miniapp::multigrid {

/// What restricted additive Schwarz has on hosts and GPUs alike: the modes of the elements' boxes, and what lies beyond
/// the faces of elements, in this rank and in others.
class SchwarzBase : public Schwarz {
 public:
  ~SchwarzBase() override;
  void update() override;
  bool waits() const override { return discretisation_.space.exchange.waits() || halo_.waits(); }
  double bytes() const override;

 protected:
  /// `slots`: (group, lane): element, -1 where the lane is empty.
  SchwarzBase(const Discretisation& d, const Vector<const Index>& slots);
  /// Slots for one element per group.
  static Vector<const Index> every_element(const Discretisation& d);
  /// Room for a residual, (component, node), on several ranks with what is beyond them.
  Vector<float> make_residual() const;
  std::size_t residual_stride() const;
  /// to = f - y, or f with `from_zero`, with what is beyond ranks. On one rank f need not be copied.
  void load_residual(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y,
                     bool from_zero, const Vector<float>& to) const;

  const Discretisation& discretisation_;
  std::int64_t changes_;        ///< the changes of the discretisation that lines_ and weights_ know
  Vector<const Index> slots_;   ///< (group, lane): element, -1 where the lane is empty
  float shift_;                 ///< lambda; 0 where lines_ has it, with a coefficient
  Vector<const Index> beyond_;  ///< (group, face, b, a, lane): the node beyond a face's node, negative: masked or none
  FaceHalo halo_;
  LineModes lines_;
  Vector<const float> weights_;  ///< the diagonal of W, an entry per node, over the coefficient; 0 at constrained nodes
};

}  // namespace miniapp::multigrid
