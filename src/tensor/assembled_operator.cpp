// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/assembled_operator.hpp"

#include "miniapp/core/error.hpp"
#include "miniapp/indirect/plan_check.hpp"

namespace miniapp::tensor {

template <class Real>
AssembledOperator<Real>::AssembledOperator(std::unique_ptr<ElementOperator<Real>> kernel,
                                           const indirect::PlanOptions& options)
    : ElementOperator<Real>(kernel->discretisation()),
      kernel_(std::move(kernel)),
      nodes_(kernel_->local_nodes()),
      u_("assembly/u", nodes_.extent(0)),
      v_("assembly/v", nodes_.extent(0)) {
  Map to_node(0, 1), to_local(0, 1);
  const auto node_of = to_host(nodes_);
  for (std::size_t q = 0; q < node_of.extent(0); ++q) {
    if (node_of(q) < 0) continue;
    to_node.entries.push_back(node_of(q));
    to_local.entries.push_back(static_cast<Index>(q));
  }
  to_local_ = ElementMap("assembly/local node", std::move(to_local), nodes_.extent(0));
  plan_.emplace(ElementMap("assembly/global node", std::move(to_node), this->space().num_entries()), options);
  this->set_surface(kernel_->surface());
  // with one thread even a wrong plan gives the right sum
  const std::string wrong = indirect::check_plan(plan_->arrays(), plan_->map().host());
  if (!wrong.empty()) throw ResultError("assembly", indirect::name(options.strategy), "WRONG plan: " + wrong);
}

template <class Real>
void AssembledOperator<Real>::compute(const Instance& instance, const Vector<const Real>& x,
                                      const Vector<Real>& y) const {
  streaming::scatter<Real>(instance, nodes_, x, u_.values());
  kernel_->apply_local(instance, u_.values(), v_.values());
  if (y.data() != y_) {  // a loop is bound to its vectors
    assembly_.emplace("assembly", *plan_, AddLocalValue{}, indirect::read(v_, to_local_),
                      indirect::increment(Values(y)));
    y_ = y.data();
  }
  fill(instance, y, 0);
  (*assembly_)(instance);
}

template <class Real>
typename ElementOperator<Real>::Memory AssembledOperator<Real>::memory() const {
  auto memory = kernel_->memory();
  memory.local_vectors += u_.values().extent(0) * 2 * sizeof(Real);
  memory.indices += 2 * plan_->map().from_size() * sizeof(Index);
  return memory;
}

template class AssembledOperator<double>;
template class AssembledOperator<float>;

}  // namespace miniapp::tensor
