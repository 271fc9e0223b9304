// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/ladder/ladder_operator.hpp"

#include "miniapp/geometry/hexahedron.hpp"

namespace miniapp::tensor {

LadderOperator::LadderOperator(const Discretisation& d, std::string label, const RungKernel& kernel)
    : ElementOperator<double>(d, d.space.num_nodes),
      label_(std::move(label)),
      kernel_(kernel),
      elements_(static_cast<int>(d.mesh->num_elements())),
      lambda_(d.lambda),
      interpolation_(to_device("tensor/ladder/table", d.basis.interpolation.entries)),
      derivative_(to_device("tensor/ladder/table",
                            (is_collocated(d.problem) ? d.basis.derivative : d.basis.point_derivative).entries)),
      factors_(d.make_factors<double>(!has_stiffness(d.problem))),
      intermediate_(
          make_vector<double>("tensor/ladder/intermediate", d.mesh->num_elements() * kernel.intermediate_words)),
      map_(d.space.element_to_node.device()),
      map_bytes_(d.space.element_to_node.device_bytes()),
      scatter_(d.space.element_to_node.host(), d.order + 1, streaming::scatter_indexing),
      gather_(d.space.element_to_node.host(), d.space.num_nodes, streaming::gather_indexing),
      u_(make_vector<double>("tensor/ladder/u", map_.extent(0))),
      v_(make_vector<double>("tensor/ladder/v", map_.extent(0))) {}

void LadderOperator::update_factors(bool varies) {
  const Discretisation& d = discretisation();
  lambda_ = d.lambda;
  if (varies) factors_ = d.make_factors<double>(!has_stiffness(d.problem));
}

void LadderOperator::compute(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const {
  scatter_.apply<double>(instance, x, u_);
  apply_local(instance, u_, v_);
  gather_.apply<double>(instance, v_, y);
}

void LadderOperator::apply_local(const Instance& instance, const Vector<const double>& u,
                                 const Vector<double>& v) const {
  kernel_.run(instance, label_.c_str(), elements_,
              {interpolation_, derivative_, factors_, u, v, intermediate_, lambda_});
}

LadderOperator::Memory LadderOperator::memory() const {
  return {factors_.extent(0) * sizeof(double), map_bytes_ + scatter_.index_bytes() + gather_.index_bytes(),
          (u_.extent(0) + v_.extent(0) + intermediate_.extent(0)) * sizeof(double)};
}

}  // namespace miniapp::tensor
