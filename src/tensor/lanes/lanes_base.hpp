// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "miniapp/tensor/element_operator.hpp"
#include "tensor/lanes/lane_groups.hpp"

/// Common parts of the operators on lanes, compiled once, so that the translation units of the orders contain only
/// arithmetic and no Kokkos loops.
namespace miniapp::tensor {

/// The work on one group of elements, given the pass, the number of the group and the team's scratch.
using GroupBody = void (*)(const void* pass, int group, void* scratch);

/// Runs body on all groups, parts in parallel, with `scratch_bytes` of scratch aligned to a cache line. The call
/// through a pointer costs a thousandth of the work on a group.
void for_groups(const Instance& instance, const LaneGroups& groups, std::size_t scratch_bytes, const void* pass,
                GroupBody body);

/// Runs body(group) for each of `groups`, in parallel.
void for_each_group(int groups, const std::function<void(int)>& body);

/// Room for the copies of LaneGroups::copies, component by component.
template <class Real>
class Copies {
 public:
  Copies(std::shared_ptr<const LaneGroups> groups, int components);
  Real* component(int c) const { return values_.data() + std::size_t(c) * groups_->copies.size; }
  /// y (component, node) += the copies of the node, once all groups are done.
  void add_to(const Instance& instance, Real* y) const;

 private:
  std::shared_ptr<const LaneGroups> groups_;
  int components_;
  Vector<Real> values_;  ///< (component, copy)
};

/// An operator on lanes without its kernel.
template <class Real>
class LanesBase : public ElementOperator<Real> {
 public:
  explicit LanesBase(const Discretisation& d);
  Vector<const Index> local_nodes() const override;
  typename ElementOperator<Real>::Memory memory() const override;

 protected:
  const Discretisation& discretisation_;
  std::shared_ptr<const LaneGroups> shared_groups_;
  const LaneGroups& groups_;
  Copies<Real> copies_;
  Vector<Real> lines_;        ///< the geometry, see set_lane_lines
  Vector<Real> coefficient_;  ///< of computed geometry, see set_lane_coefficient; empty: 1
};

}  // namespace miniapp::tensor
