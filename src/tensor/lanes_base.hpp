// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "miniapp/tensor/element_operator.hpp"
#include "tensor/lane_groups.hpp"

/// Common parts of the operators on lanes, compiled once, so that the translation units of the orders contain only
/// arithmetic and no Kokkos loops.
namespace miniapp::tensor {

/// The work on one group of elements, given the pass, the number of the group and the team's scratch.
using GroupBody = void (*)(const void* pass, int group, void* scratch);

/// Runs body on all groups, those of a colour in parallel, with `scratch_bytes` of scratch aligned to a cache line. The
/// call through a pointer costs a thousandth of the work on a group.
void for_groups(const Instance& instance, const LaneGroups& groups, std::size_t scratch_bytes, const void* pass,
                GroupBody body);

/// Runs body(group) for each of `groups`, in parallel.
void for_each_group(int groups, const std::function<void(int)>& body);

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
  Vector<Real> lines_;  ///< the geometry, see make_lane_lines
};

}  // namespace miniapp::tensor
