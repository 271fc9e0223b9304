// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/componentwise_operator.hpp"
#include "tensor/line_nodes.hpp"

namespace miniapp::tensor {

/// An operator whose kernel gathers and scatters itself, so that E-vectors are never stored. Derived::body(nodes) is
/// the kernel on GlobalNodes or LocalNodes, or on Components of them.
template <class Derived, int order, class Real>
class FusedOperator : public ElementOperator<Real> {
  static constexpr int n = order + 1;

 public:
  explicit FusedOperator(const Discretisation& d)
      : ElementOperator<Real>(d.space),
        elements_(static_cast<int>(d.mesh.num_elements())),
        components_(d.space.components),
        num_nodes_(d.space.num_nodes),
        map_(d.space.element_to_node.device()),
        entries_(local_entries(d.space, map_)),
        energy_parts_("tensor/energy", EnergyParts::count) {}

  void apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    Kokkos::deep_copy(instance.space(), y, Real(0));
    apply_to_zero(instance, x, y);
  }
  void apply_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    const GlobalNodes<n, Real, false> nodes{map_.data(), x.data(), y.data()};
    if (components_ == 1)
      run(instance, nodes);
    else
      run(instance, Components<GlobalNodes<n, Real, false>>{nodes, components_, num_nodes_});
  }
  void apply_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                     double* energy) const override {
    const GlobalNodes<n, Real, true> nodes{map_.data(), x.data(), y.data(), {energy_parts_.data()}};
    if (components_ == 1)
      run(instance, nodes);
    else
      run(instance, Components<GlobalNodes<n, Real, true>>{nodes, components_, num_nodes_});
    for_teams(instance, "tensor/energy", 1, CollectEnergy{energy_parts_.data(), energy});
  }
  void apply_local(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& v) const override {
    const LocalNodes<n, Real> nodes{u.data(), v.data()};
    if (components_ == 1)
      run(instance, nodes);
    else
      run(instance, Components<LocalNodes<n, Real>>{nodes, components_, map_.extent(0)});
  }
  bool needs_zeros() const override { return true; }
  bool can_replay() const override { return true; }
  Vector<const Index> local_nodes() const override { return entries_; }
  typename ElementOperator<Real>::Memory memory() const override {
    const std::size_t entries = components_ > 1 ? entries_.extent(0) : 0;
    return {derived().factor_bytes(), (map_.extent(0) + entries) * sizeof(Index), 0};
  }

  TeamResources resources() const override { return team_resources<decltype(derived().body(LocalNodes<n, Real>()))>(); }
  std::size_t scratch_traffic() const override {
    return components_ * decltype(derived().body(LocalNodes<n, Real>()))::scratch_traffic;
  }

 protected:
  int elements() const { return elements_; }

 private:
  template <class Nodes>
  void run(const Instance& instance, const Nodes& nodes) const {
    const auto body = derived().body(nodes);
    for_teams(instance, Derived::label, (elements_ + body.elements_per_team - 1) / body.elements_per_team, body);
  }
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  int elements_, components_;
  std::size_t num_nodes_;
  streaming::NodeMap map_;
  Vector<const Index> entries_;
  Vector<double> energy_parts_;
};

}  // namespace miniapp::tensor
