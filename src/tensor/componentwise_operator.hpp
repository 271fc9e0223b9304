// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// A functor: for a lambda in an inline function nvcc emits pointers in every translation unit, and the linker mixes
/// them up.
struct LocalEntries {
  Vector<const Index> nodes;
  Vector<Index> entries;
  Index num_nodes;
  KOKKOS_FUNCTION void operator()(std::int64_t q) const {
    const auto local = static_cast<std::int64_t>(nodes.extent(0));
    const Index node = nodes(q % local), first = static_cast<Index>(q / local) * num_nodes;
    entries(q) = node < 0 ? node - first : node + first;  // ~(node + first) = ~node - first
  }
};

/// The entries of global vectors for those of E-vectors (component, local node): component c of `nodes`, ~node where
/// masked.
inline Vector<const Index> local_entries(const space::Space& space, const Vector<const Index>& nodes) {
  if (space.components == 1) return nodes;
  const Vector<Index> entries = make_vector<Index>("tensor/local entries", space.components * nodes.extent(0));
  Kokkos::parallel_for("tensor/local entries",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, entries.extent(0)),
                       LocalEntries{nodes, entries, space.num_nodes});
  return entries;
}

/// A kernel of one component, applied to the components one after the other.
template <class Real>
class ComponentwiseOperator : public ElementOperator<Real> {
 public:
  explicit ComponentwiseOperator(std::unique_ptr<ElementOperator<Real>> one)
      : ElementOperator<Real>(one->discretisation()),
        one_(std::move(one)),
        components_(one_->space().components),
        entries_(local_entries(one_->space(), one_->local_nodes())) {}

  void apply_local(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& v) const override {
    for_components(u, v, [&](const auto& from, const auto& to) { one_->apply_local(instance, from, to); });
  }
  Vector<const Index> local_nodes() const override { return entries_; }
  typename ElementOperator<Real>::Memory memory() const override {
    auto memory = one_->memory();
    memory.indices += entries_.extent(0) * sizeof(Index);
    return memory;
  }
  TeamResources resources() const override { return one_->resources(); }
  std::size_t scratch_traffic() const override { return components_ * one_->scratch_traffic(); }

 private:
  void update_factors(bool) override { one_->update(); }
  void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    for_components(x, y, [&](const auto& from, const auto& to) { one_->apply(instance, from, to); });
  }
  template <class Work>
  void for_components(const Vector<const Real>& x, const Vector<Real>& y, const Work& work) const {
    const std::size_t size = y.extent(0) / components_;
    for (int c = 0; c < components_; ++c) work(slice(x, c * size, size), slice(y, c * size, size));
  }

  std::unique_ptr<ElementOperator<Real>> one_;
  int components_;
  Vector<const Index> entries_;
};

}  // namespace miniapp::tensor
