// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// Where loops over elements that add to nodes put their values: to the nodes, or, where sums of several threads have a
/// fixed order, to places of their own, which finish() adds up.
class NodeSums {
 public:
  NodeSums(const Discretisation& d, bool in_fixed_order);

  /// (element, node) to an entry of the target.
  const Vector<const Index>& map() const { return map_; }

  /// Where to add what belongs to y (node), which is zero: its own entries, or places that are set to zero.
  double* target(const Instance& instance, double* y) const;

  /// Adds the places up, those of a node one after the other.
  void finish(const Instance& instance, double* y) const;

 private:
  Vector<const Index> map_;
  Vector<const std::int64_t> offsets_, places_;
  Vector<double> local_;
};

}  // namespace miniapp::tensor
