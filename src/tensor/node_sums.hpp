// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/graph/transpose.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// Each entry of a map in a place of its own; what is masked stays so.
inline Vector<const Index> own_places(const Vector<const Index>& map) {
  const Vector<Index> own = make_vector<Index>("tensor/sums/map", map.extent(0));
  Kokkos::parallel_for(
      "tensor/sums/map", Kokkos::RangePolicy<ExecutionSpace>(0, own.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { own(i) = map(i) < 0 ? ~static_cast<Index>(i) : static_cast<Index>(i); });
  return own;
}

/// Where loops over elements that add to nodes put their values: to the nodes, or, where sums of several threads have a
/// fixed order, to places of their own, which finish() adds up.
class NodeSums {
 public:
  NodeSums(const Discretisation& d, bool in_fixed_order) : map_(d.space.element_to_node.device()) {
    if (!in_fixed_order) return;
    const auto rows = graph::transpose(d.space.element_to_node.host(), d.space.num_nodes);
    offsets_ = to_device<std::int64_t>("tensor/sums/offsets", rows.offsets);
    places_ = to_device<std::int64_t>("tensor/sums/places", rows.entries);
    local_ = make_vector<double>("tensor/sums/local", map_.extent(0));
    map_ = own_places(map_);
  }

  /// (element, node) to an entry of the target.
  const Vector<const Index>& map() const { return map_; }

  /// Where to add what belongs to y (node), which is zero: its own entries, or places that are set to zero.
  double* target(const Instance& instance, double* y) const {
    if (!local_.data()) return y;
    Kokkos::deep_copy(instance.space(), local_, 0.);
    return local_.data();
  }

  /// Adds the places up, those of a node one after the other.
  void finish(const Instance& instance, double* y) const {
    if (!local_.data()) return;
    const Vector<const std::int64_t> offsets = offsets_, places = places_;
    const Vector<const double> local = local_;
    Kokkos::parallel_for(
        "tensor/sums", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, offsets.extent(0) - 1),
        KOKKOS_LAMBDA(const std::size_t node) {
          double sum = 0;
          for (std::int64_t at = offsets(node); at < offsets(node + 1); ++at) sum += local(places(at));
          if (offsets(node) < offsets(node + 1)) y[node] = sum;
        });
  }

 private:
  Vector<const Index> map_;
  Vector<const std::int64_t> offsets_, places_;
  Vector<double> local_;
};

}  // namespace miniapp::tensor
