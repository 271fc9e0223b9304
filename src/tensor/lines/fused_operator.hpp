// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/componentwise_operator.hpp"
#include "tensor/lines/line_nodes.hpp"

namespace miniapp::tensor {

/// An operator whose kernel gathers and scatters itself, so that E-vectors are never stored. Derived::body(nodes,
/// first, count) is the kernel for elements first .. first + count, which are the first of `nodes`: GlobalNodes or
/// LocalNodes, or Components of them.
template <class Derived, int order, class Real>
class FusedOperator : public ElementOperator<Real> {
  static constexpr int n = order + 1;

 public:
  explicit FusedOperator(const Discretisation& d)
      : ElementOperator<Real>(d),
        elements_(static_cast<int>(d.mesh->num_elements())),
        shared_(d.shared_elements),
        components_(d.space.components),
        num_nodes_(d.space.num_nodes),
        map_(d.space.element_to_node.device()),
        entries_(local_entries(d.space, map_)),
        energy_parts_("tensor/energy", EnergyParts::count) {}

  /// Where ranks store into each other's memory, one kernel is faster than two and what travels beside them.
  bool has_steps() const override {
    return shared_ > 0 && shared_ < elements_ && this->space().exchange.waits() && this->surface().empty();
  }
  void apply_shared(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                    double* energy) const override {
    energy ? add<true>(instance, x, y, 0, shared_) : add<false>(instance, x, y, 0, shared_);
  }
  void apply_inner(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                   double* energy) const override {
    if (!energy) return add<false>(instance, x, y, shared_, elements_ - shared_);
    add<true>(instance, x, y, shared_, elements_ - shared_);
    collect(instance, energy);
  }
  void apply_local(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& v) const override {
    const LocalNodes<n, Real> nodes{u.data(), v.data()};
    if (components_ == 1)
      run(instance, nodes, 0, elements_);
    else
      run(instance, Components<LocalNodes<n, Real>>{nodes, components_, map_.extent(0)}, 0, elements_);
  }
  bool needs_zeros() const override { return true; }
  bool can_replay() const override { return true; }
  Vector<const Index> local_nodes() const override { return entries_; }
  typename ElementOperator<Real>::Memory memory() const override {
    const std::size_t entries = components_ > 1 ? entries_.extent(0) : 0;
    return {derived().factor_bytes(), (map_.extent(0) + entries) * sizeof(Index), 0};
  }

  TeamResources resources() const override {
    return team_resources<decltype(derived().body(LocalNodes<n, Real>(), 0, 0))>();
  }
  std::size_t scratch_traffic() const override {
    return components_ * decltype(derived().body(LocalNodes<n, Real>(), 0, 0))::scratch_traffic;
  }

 private:
  void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    linalg::set_zero(instance, y);
    compute_to_zero(instance, x, y);
  }
  void compute_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    add<false>(instance, x, y, 0, elements_);
  }
  void compute_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                       double* energy) const override {
    add<true>(instance, x, y, 0, elements_);
    collect(instance, energy);
  }
  Vector<double> compute_with_terms(const Instance& instance, const Vector<const Real>& x,
                                    const Vector<Real>& y) const override {
    add<true>(instance, x, y, 0, elements_);
    return energy_parts_;
  }
  /// y += what `count` elements add, from element `first` on.
  template <bool with_energy>
  void add(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y, int first, int count) const {
    using Nodes = GlobalNodes<n, Real, with_energy>;
    const Nodes nodes{map_.data() + std::size_t(first) * n * n * n, x.data(), y.data(), {energy_parts_.data()}};
    if (components_ == 1)
      run(instance, nodes, first, count);
    else
      run(instance, Components<Nodes>{nodes, components_, num_nodes_}, first, count);
  }
  void collect(const Instance& instance, double* energy) const {
    for_teams(instance, "tensor/energy", 1, CollectEnergy{energy_parts_.data(), energy});
  }
  template <class Nodes>
  void run(const Instance& instance, const Nodes& nodes, int first, int count) const {
    const auto body = derived().body(nodes, first, count);
    for_teams(instance, Derived::label, (count + body.elements_per_team - 1) / body.elements_per_team, body);
  }
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  int elements_, shared_, components_;
  std::size_t num_nodes_;
  streaming::NodeMap map_;
  Vector<const Index> entries_;
  Vector<double> energy_parts_;
};

}  // namespace miniapp::tensor
