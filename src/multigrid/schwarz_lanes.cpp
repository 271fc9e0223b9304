// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/execution.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/linalg/vectors.hpp"
#include "multigrid/schwarz_lanes.hpp"

namespace miniapp::multigrid {
namespace {

/// x += factor weight z, or x = factor weight z.
struct AddWeighted {
  float factor;
  const float *weights, *z;
  float* x;
  bool from_zero;
  KOKKOS_FUNCTION float load(std::size_t i) const { return factor * weights[i] * z[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    x[i] = from_zero ? value : x[i] + value;
  }
};

}  // namespace

SchwarzLanes::SchwarzLanes(const Discretisation& d, std::size_t scratch_bytes, GroupBody body)
    : SchwarzLanes(d, scratch_bytes, body, lane_groups(d, lane_width<float>)) {}

SchwarzLanes::SchwarzLanes(const Discretisation& d, std::size_t scratch_bytes, GroupBody body,
                           std::shared_ptr<const LaneGroups> groups)
    : SchwarzBase(d, to_device<Index>("multigrid/schwarz/slots", groups->elements)),
      scratch_bytes_(scratch_bytes),
      body_(body),
      groups_(std::move(groups)),
      copies_(groups_, d.space.components),
      own_(make_residual()),
      added_(make_zeros<float>("multigrid/schwarz/added", is_alone() ? 0 : d.space.num_entries())) {}

void SchwarzLanes::step(const Instance& instance, const Vector<const float>& f, const Vector<float>& y, float factor,
                        const Vector<float>& x, bool from_zero, const Vector<float>& unsummed) const {
  if (unsummed.extent(0) > 0) discretisation_.space.exchange.sum(instance, unsummed);
  const Vector<const float> r = residual(instance, f, y, from_zero);
  const Vector<float>& z = corrections(r, y);
  const Pass all{this, r.data(), z.data()};
  for_groups(instance, *groups_, scratch_bytes_, &all, body_);
  copies_.add_to(instance, z.data());
  discretisation_.space.exchange.sum(instance, z);
  add_weighted(instance, factor, z, x, from_zero);
}

/// f - y, or f with `from_zero`, followed on several ranks by what is beyond them: in own_, but f itself suffices on
/// one.
Vector<const float> SchwarzLanes::residual(const Instance& instance, const Vector<const float>& f,
                                           const Vector<float>& y, bool from_zero) const {
  load_residual(instance, f, y, from_zero, own_);
  return from_zero && is_alone() ? f : Vector<const float>(own_);
}

/// Room for what elements add: added_ on several ranks, on one own_, or y where own_ holds the residual.
const Vector<float>& SchwarzLanes::corrections(const Vector<const float>& r, const Vector<float>& y) const {
  return !is_alone() ? added_ : r.data() == own_.data() ? y : own_;
}

/// x += factor weights z, or x = factor weights z with `from_zero`, in every component.
void SchwarzLanes::add_weighted(const Instance& instance, float factor, const Vector<float>& z, const Vector<float>& x,
                                bool from_zero) const {
  const auto nodes = static_cast<std::size_t>(discretisation_.space.num_nodes);
  for (std::size_t c = 0; c < x.extent(0); c += nodes)
    linalg::for_entries(instance, "multigrid/schwarz/add", nodes,
                        AddWeighted{factor, weights_.data(), z.data() + c, x.data() + c, from_zero});
}

}  // namespace miniapp::multigrid
#endif
