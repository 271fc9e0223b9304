// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "miniapp/indirect/loop.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// The local function of finite element assembly: a local node adds its value to its global node.
struct AddLocalValue {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Real (&local)[1][1], Real (&global)[1][1]) const {
    global[0][0] = local[0][0];
  }
};

/// An operator from an element kernel, a scatter to E-vectors before it, and assembly by an indirect loop after it:
///   u = Z x,  v = A_L u,  y = Z^T v.
/// The elements of the assembly loop are the unmasked local nodes; each adds to one target, its global node.
template <class Real>
class AssembledOperator : public ElementOperator<Real> {
 public:
  /// `kernel` computes A_L. Errors: InputError, as indirect::Plan.
  AssembledOperator(std::unique_ptr<ElementOperator<Real>> kernel, const indirect::PlanOptions& options);

  void apply_local(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& v) const override {
    kernel_->apply_local(instance, u, v);
  }
  Vector<const Index> local_nodes() const override { return kernel_->local_nodes(); }
  typename ElementOperator<Real>::Memory memory() const override;
  TeamResources resources() const override { return kernel_->resources(); }
  std::size_t scratch_traffic() const override { return kernel_->scratch_traffic(); }

 private:
  void update_factors(bool) override { kernel_->update(); }
  void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override;

  using Plan = indirect::Plan<1>;
  using ElementMap = indirect::ElementMap<1>;
  using Values = Field<Real, 1>;
  using Assembly = indirect::Loop<AddLocalValue, 1, indirect::ReadThrough<Real, 1, Layout::aos, 1>,
                                  indirect::Increment<Real, 1, Layout::aos, false>>;

  std::unique_ptr<ElementOperator<Real>> kernel_;
  Vector<const Index> nodes_;
  Values u_, v_;
  ElementMap to_local_;  ///< (unmasked local node): its index in E-vectors
  std::optional<Plan> plan_;
  mutable std::optional<Assembly> assembly_;  ///< bound to the last y
  mutable Real* y_ = nullptr;
};

}  // namespace miniapp::tensor
