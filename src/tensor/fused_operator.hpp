// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/line_nodes.hpp"

namespace miniapp::tensor {

/// An operator whose kernel gathers and adds by itself, E-vectors are never stored. Derived::body(nodes) is the kernel
/// on GlobalNodes or LocalNodes.
template <class Derived, int order, class Real>
class FusedOperator : public ElementOperator<Real> {
  static constexpr int n = order + 1;

 public:
  explicit FusedOperator(const Discretisation& d)
      : elements_(static_cast<int>(d.mesh.num_elements())),
        map_(d.space.element_to_node.device()),
        energy_parts_("tensor/energy", EnergyParts::count) {}

  void apply(const Vector<const Real>& x, const Vector<Real>& y) const override {
    Kokkos::deep_copy(ExecutionSpace(), y, Real(0));
    apply_to_zero(x, y);
  }
  void apply_to_zero(const Vector<const Real>& x, const Vector<Real>& y) const override {
    run(GlobalNodes<n, Real, false>{map_.data(), x.data(), y.data()});
  }
  void apply_to_zero(const Vector<const Real>& x, const Vector<Real>& y, double* energy) const override {
    run(GlobalNodes<n, Real, true>{map_.data(), x.data(), y.data(), {energy_parts_.data()}});
    for_teams("tensor/energy", 1, CollectEnergy{energy_parts_.data(), energy});
  }
  void apply_local(const Vector<const Real>& u, const Vector<Real>& v) const override {
    run(LocalNodes<n, Real>{u.data(), v.data()});
  }
  bool needs_zeros() const override { return true; }
  bool can_replay() const override { return true; }
  Vector<const Index> local_nodes() const override { return map_; }
  typename ElementOperator<Real>::Memory memory() const override {
    return {derived().factor_bytes(), map_.extent(0) * sizeof(Index), 0};
  }

  TeamResources resources() const override { return team_resources<decltype(derived().body(LocalNodes<n, Real>()))>(); }
  std::size_t scratch_traffic() const override {
    return decltype(derived().body(LocalNodes<n, Real>()))::scratch_traffic;
  }

 protected:
  int elements() const { return elements_; }

 private:
  template <class Nodes>
  void run(const Nodes& nodes) const {
    const auto body = derived().body(nodes);
    for_teams(Derived::label, (elements_ + body.elements_a_team - 1) / body.elements_a_team, body);
  }
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  int elements_;
  streaming::NodeMap map_;
  Vector<double> energy_parts_;
};

}  // namespace miniapp::tensor
