// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/node_sums.hpp"

#include "miniapp/graph/transpose.hpp"

namespace miniapp::tensor {
namespace {

/// Each entry of a map in a place of its own; what is masked stays so.
Vector<const Index> own_places(const Vector<const Index>& map) {
  const Vector<Index> own = make_vector<Index>("tensor/sums/map", map.extent(0));
  Kokkos::parallel_for(
      "tensor/sums/map", Kokkos::RangePolicy<ExecutionSpace>(0, own.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { own(i) = map(i) < 0 ? ~static_cast<Index>(i) : static_cast<Index>(i); });
  return own;
}

}  // namespace

NodeSums::NodeSums(const Discretisation& d, bool in_fixed_order) : map_(d.space.element_to_node.device()) {
  if (!in_fixed_order) return;
  const auto rows = graph::transpose(d.space.element_to_node.host(), d.space.num_nodes);
  offsets_ = to_device<std::int64_t>("tensor/sums/offsets", rows.offsets);
  places_ = to_device<std::int64_t>("tensor/sums/places", rows.entries);
  local_ = make_vector<double>("tensor/sums/local", map_.extent(0));
  map_ = own_places(map_);
}

double* NodeSums::target(const Instance& instance, double* y) const {
  if (!local_.data()) return y;
  fill(instance, local_, 0);
  return local_.data();
}

void NodeSums::finish(const Instance& instance, double* y) const {
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

}  // namespace miniapp::tensor
