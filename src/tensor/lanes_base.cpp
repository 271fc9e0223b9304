// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/lanes_base.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#include "tensor/componentwise_operator.hpp"

namespace miniapp::tensor {

void for_groups(const Instance& instance, const LaneGroups& groups, std::size_t scratch_bytes, const void* pass,
                GroupBody body) {
  const auto scratch = Kokkos::PerTeam(scratch_bytes + 64);
  for (std::size_t colour = 0; colour + 1 < groups.colour_offsets.size(); ++colour) {
    const int begin = groups.colour_offsets[colour], end = groups.colour_offsets[colour + 1];
    Kokkos::parallel_for("tensor/lanes", TeamPolicy(instance.space(), end - begin, 1).set_scratch_size(1, scratch),
                         [=](const TeamMember& team) {
                           void* const memory = team.team_scratch(1).get_shmem_aligned(scratch_bytes, 64);
                           body(pass, begin + team.league_rank(), memory);
                         });
  }
}

void for_each_group(int groups, const std::function<void(int)>& body) {
  Kokkos::parallel_for("tensor/lanes/lines", Kokkos::RangePolicy<ExecutionSpace>(0, groups),
                       [&body](int g) { body(g); });
}

template <class Real>
LanesBase<Real>::LanesBase(const Discretisation& d)
    : ElementOperator<Real>(d.space),
      discretisation_(d),
      shared_groups_(lane_groups(d, lane_width<Real>)),
      groups_(*shared_groups_) {}

template <class Real>
Vector<const Index> LanesBase<Real>::local_nodes() const {
  const int n = discretisation_.order + 1, width = lane_width<Real>;
  const Vector<Index> nodes = make_vector<Index>("tensor/lanes/nodes", groups_.elements.size() * n * n * n);
  for (int g = 0; g < groups_.size(); ++g) {
    for (int l = 0; l < width; ++l) {
      const Index e = groups_.elements[g * width + l];
      for (int q = 0; q < n * n * n; ++q)
        nodes((std::size_t(g) * n * n * n + q) * width + l) =
            e < 0 ? -1 : discretisation_.space.element_to_node.host()[e][q];
    }
  }
  return local_entries(discretisation_.space, nodes);
}

template <class Real>
typename ElementOperator<Real>::Memory LanesBase<Real>::memory() const {
  return {lines_.extent(0) * sizeof(Real), groups_.bytes(), 0};
}

template class LanesBase<double>;
template class LanesBase<float>;

}  // namespace miniapp::tensor
#endif
