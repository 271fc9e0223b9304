// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/execution.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#include "tensor/componentwise_operator.hpp"
#include "tensor/lanes/lane_geometry.hpp"
#include "tensor/lanes/lanes_base.hpp"

namespace miniapp::tensor {

void for_parts(const Instance& instance, const LaneGroups& groups, std::size_t bytes,
               const std::function<void(int part, void* scratch)>& body) {
  const auto scratch = Kokkos::PerTeam(bytes + 64);
  Kokkos::parallel_for("tensor/lanes", TeamPolicy(instance.space(), groups.parts(), 1).set_scratch_size(1, scratch),
                       [bytes, &body](const TeamMember& team) {
                         body(team.league_rank(), team.team_scratch(1).get_shmem_aligned(bytes, 64));
                       });
}

void for_groups(const Instance& instance, const LaneGroups& groups, std::size_t scratch_bytes, const void* pass,
                GroupBody body) {
  const Index* const part_offsets = groups.part_offsets.data();
  for_parts(instance, groups, scratch_bytes, [=](int part, void* scratch) {
    for (int g = part_offsets[part]; g < part_offsets[part + 1]; ++g) body(pass, g, scratch);
  });
}

template <class Real>
Copies<Real>::Copies(std::shared_ptr<const LaneGroups> groups, int components)
    : groups_(std::move(groups)),
      components_(components),
      values_(make_zeros<Real>("tensor/lanes/copies", std::size_t(components) * groups_->copies.size)) {}

template <class Real>
void Copies<Real>::add_to(const Instance& instance, Real* y) const {
  const LaneCopies& copies = groups_->copies;
  if (copies.size == 0) return;
  const Kokkos::RangePolicy<ExecutionSpace> nodes(instance.space(), 0, copies.nodes.size());
  Kokkos::parallel_for("tensor/lanes/copies", nodes, [=, this, &copies](std::size_t i) {
    for (int c = 0; c < components_; ++c) {
      Real sum = 0;
      for (const std::int64_t copy : copies.of_node[i]) sum += component(c)[copy];
      y[std::size_t(c) * groups_->num_nodes + copies.nodes[i]] += sum;
    }
  });
}

template <class Real>
LanesOperator<Real>::LanesOperator(const Discretisation& d, Geometry geometry, const basis::Rule& rule,
                                   LaneKernel kernel)
    : ElementOperator<Real>(d),
      discretisation_(d),
      geometry_(geometry),
      rule_(rule),
      kernel_(std::move(kernel)),
      shared_groups_(lane_groups(d, lane_width<Real>)),
      groups_(*shared_groups_),
      copies_(shared_groups_, d.space.components) {
  set_lines();
  set_coefficient();
}

template <class Real>
void LanesOperator<Real>::set_lines() {
  if (geometry_ == Geometry::boxes)
    set_lane_boxes(discretisation_, groups_, lines_);
  else if (geometry_ == Geometry::affine)
    set_lane_lines(discretisation_, Geometry::stored, basis::centre(), groups_, lines_);
  else
    set_lane_lines(discretisation_, geometry_, rule_, groups_, lines_);
}

template <class Real>
void LanesOperator<Real>::set_coefficient() {
  if (geometry_ == Geometry::computed && has_stiffness(discretisation_.problem))
    set_lane_coefficient(discretisation_, groups_, coefficient_);
}

template <class Real>
void LanesOperator<Real>::update_factors(bool varies) {
  if (!has_stiffness(discretisation_.problem)) return;
  set_lines();  // in place: pages that are new take most of the time
  if (varies) set_coefficient();
}

template <class Real>
void LanesOperator<Real>::compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
  const Pass all{this, Storage::global, static_cast<std::size_t>(discretisation_.space.num_nodes), x.data(), y.data()};
  for_groups(instance, groups_, kernel_.scratch_bytes, &all, kernel_.body);
  copies_.add_to(instance, y.data());
}

template <class Real>
void LanesOperator<Real>::compute_between(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                                          const linalg::LoopsAround& loops, const std::function<void()>& complete,
                                          double* sums) const {
  const space::Space& space = discretisation_.space;
  const Vector<const Index> surface = this->surface().entries;
  if (!chunks_ || chunks_->late_entries.data() != surface.data())
    chunks_ = std::make_unique<const LaneChunks>(make_lane_chunks(space, groups_, {}, surface));
  const auto nodes = static_cast<std::size_t>(space.num_nodes);
  const auto run = [&](const streaming::RangeLoop& loop, std::span<const streaming::EntryRange> ranges,
                       double* totals) {
    for (int c = 0; c < space.components; ++c) loop(ranges, c * nodes, totals);
  };
  struct alignas(64) Totals {
    double value[linalg::LoopsAround::most_sums] = {};
  };
  std::vector<Totals> of_part(groups_.parts());
  Totals of_shared;
  run(loops.before, chunks_->early, of_shared.value);
  const Pass all{this, Storage::global, nodes, x.data(), y.data()};
  for_parts(instance, groups_, kernel_.scratch_bytes, [&](int part, void* scratch) {
    double* const totals = of_part[part].value;
    for (Index c = chunks_->part_offsets[part]; c < chunks_->part_offsets[part + 1]; ++c) {
      run(loops.before, chunks_->first[c], totals);
      for (Index g = chunks_->group_offsets[c]; g < chunks_->group_offsets[c + 1]; ++g) kernel_.body(&all, g, scratch);
      run(loops.after, chunks_->last[c], totals);
    }
  });
  copies_.add_to(instance, y.data());
  complete();
  run(loops.after_all, chunks_->late, of_shared.value);
  for (int s = 0; s < loops.sums; ++s) {
    sums[s] = of_shared.value[s];
    for (const Totals& part : of_part) sums[s] += part.value[s];
  }
}

template <class Real>
void LanesOperator<Real>::apply_local(const Instance& instance, const Vector<const Real>& u,
                                      const Vector<Real>& v) const {
  const std::size_t n = discretisation_.order + 1;
  const Pass all{this, Storage::local, groups_.elements.size() * n * n * n, u.data(), v.data()};
  for_groups(instance, groups_, kernel_.scratch_bytes, &all, kernel_.body);
}

template <class Real>
Vector<const Index> LanesOperator<Real>::local_nodes() const {
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
typename ElementOperator<Real>::Memory LanesOperator<Real>::memory() const {
  return {(lines_.extent(0) + coefficient_.extent(0)) * sizeof(Real), groups_.bytes(), 0};
}

template class Copies<double>;
template class Copies<float>;
template class LanesOperator<double>;
template class LanesOperator<float>;

}  // namespace miniapp::tensor
#endif
