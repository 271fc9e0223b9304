// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/elastic_assembly.hpp"

#include <algorithm>

#include "miniapp/core/error.hpp"

namespace miniapp::solver {
namespace {

template <class Real>
std::size_t batch_size(int order, std::size_t elements, std::size_t bytes) {
  const std::size_t n = basis::number_of_shape_functions(order);
  return std::clamp<std::size_t>(bytes / (9 * n * n * sizeof(Real)), 1, std::max<std::size_t>(1, elements));
}

}  // namespace

template <class Real>
ElementBatches<Real>::ElementBatches(const elasticity::Prisms& prisms, int order, const AssemblyOptions& options)
    : prisms_(prisms), reads_jacobians_(elasticity::reads_jacobians(options.method)), elements_(prisms.size()) {
  const std::string reason = why_not(options.method, order);
  require(reason.empty(), name(options.method) + ", order " + std::to_string(order) + ": " + reason);
  if (reads_jacobians_) tables_ = basis::make_prism_tables(order);
  a_batch_ = batch_size<Real>(order, elements_, options.batch_bytes);
  const auto precision = sizeof(Real) == 8 ? elasticity::Precision::fp64 : elasticity::Precision::fp32;
  integrator_ = elasticity::make_integrator<Real>(
      options.method, order,
      elasticity::make_plan(order, elasticity::this_device(), elasticity::variant_of(options.method), precision,
                            static_cast<std::int64_t>(a_batch_)));
  all_.vertices = to_device<Real>("solver/vertices", prisms.vertices);
  all_.materials = to_device<Real>("solver/materials", prisms.materials);
  const std::size_t n = basis::number_of_shape_functions(order);
  matrices_ = make_vector<Real>("solver/element matrices", a_batch_ * 9 * n * n);
}

template <class Real>
void ElementBatches<Real>::integrate(std::size_t batch) {
  const std::size_t begin = first(batch), size = count(batch);
  elasticity::Input<Real> input{
      size, slice(all_.vertices, 18 * begin, 18 * size), {}, slice(all_.materials, 2 * begin, 2 * size)};
  if (reads_jacobians_) {
    ExecutionSpace().fence();  // the last batch's are still read
    all_.jacobians =
        to_device<Real>("solver/jacobians", elasticity::jacobians<Real>(*tables_, prisms_, begin, begin + size));
    input.jacobians = all_.jacobians;
  }
  integrator_->run(input, matrices_);
}

template <class Real>
void ElementBatches<Real>::add_to(BlockMatrix<Real>& matrix, std::size_t batch) const {
  matrix.add(matrices_, first(batch), count(batch));
}

template <class Real>
BlockMatrix<Real> assemble(const elasticity::Prisms& prisms, const elasticity::Numbering& numbering,
                           const AssemblyOptions& options) {
  ElementBatches<Real> batches(prisms, numbering.order, options);
  const mesh::Map& map = numbering.element_to_node;
  BlockMatrix<Real> matrix(make_block_pattern(map, numbering.num_nodes), map);
  for (std::size_t b = 0; b < batches.size(); ++b) {
    batches.integrate(b);
    batches.add_to(matrix, b);
  }
  ExecutionSpace().fence();  // element matrices go
  return matrix;
}

#define MINIAPP_INSTANTIATE(Real)      \
  template class ElementBatches<Real>; \
  template BlockMatrix<Real> assemble(const elasticity::Prisms&, const elasticity::Numbering&, const AssemblyOptions&);
MINIAPP_INSTANTIATE(double)
MINIAPP_INSTANTIATE(float)
#undef MINIAPP_INSTANTIATE

}  // namespace miniapp::solver
