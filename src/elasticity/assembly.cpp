// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/assembly.hpp"

#include <algorithm>

#include "miniapp/core/error.hpp"
#include "miniapp/elasticity/verification.hpp"

namespace miniapp::elasticity {
namespace {

template <class Real>
std::size_t batch_size(int order, std::size_t elements, std::size_t bytes) {
  const std::size_t n = basis::number_of_shape_functions(order);
  return std::clamp<std::size_t>(bytes / (9 * n * n * sizeof(Real)), 1, std::max<std::size_t>(1, elements));
}

template <class Real>
std::unique_ptr<Integrator<Real>> make_integrator(Method method, int order, std::size_t elements) {
  const std::string reason = why_not(method, order);
  require(reason.empty(), name(method) + ", order " + std::to_string(order) + ": " + reason);
  const auto precision = sizeof(Real) == 8 ? Precision::fp64 : Precision::fp32;
  return make_integrator<Real>(
      method, order,
      make_plan(order, this_device(), variant_of(method), precision, static_cast<std::int64_t>(elements)));
}

}  // namespace

template <class Real>
ElementBatches<Real>::ElementBatches(const Prisms& prisms, int order, const AssemblyOptions& options)
    : ElementBatches(
          prisms, order, options.batch_bytes,
          make_integrator<Real>(options.method, order, batch_size<Real>(order, prisms.size(), options.batch_bytes))) {
  reads_jacobians_ = reads_jacobians(options.method);
}

template <class Real>
ElementBatches<Real>::ElementBatches(const Prisms& prisms, int order, std::size_t batch_bytes,
                                     std::unique_ptr<Integrator> integrator)
    : prisms_(prisms),
      tables_(basis::make_prism_tables(order)),
      elements_(prisms.size()),
      a_batch_(batch_size<Real>(order, elements_, batch_bytes)),
      integrator_(std::move(integrator)) {
  all_.vertices = to_device<Real>("solver/vertices", prisms.vertices);
  all_.materials = to_device<Real>("solver/materials", prisms.materials);
  const std::size_t n = basis::number_of_shape_functions(order);
  matrices_ = make_vector<Real>("solver/element matrices", a_batch_ * 9 * n * n);
}

template <class Real>
void ElementBatches<Real>::integrate(const Instance& instance, std::size_t batch) {
  const std::size_t begin = first(batch), size = count(batch);
  Input<Real> input{size, slice(all_.vertices, 18 * begin, 18 * size), {}, slice(all_.materials, 2 * begin, 2 * size)};
  if (reads_jacobians_) {
    instance.fence();  // the matrices of the last batch may still be read
    all_.jacobians = to_device<Real>("solver/jacobians", jacobians<Real>(tables_, prisms_, begin, begin + size));
    input.jacobians = all_.jacobians;
  }
  integrator_->run(instance, input, matrices_);
}

template <class Real>
double ElementBatches<Real>::error_over_tolerance(std::size_t batch) const {
  const std::size_t begin = first(batch), entries = matrices_.extent(0) / a_batch_;
  double worst = 0;
  for (const std::size_t e : sample_of(elements_)) {
    if (e < begin || e >= begin + count(batch)) continue;
    const Vector<Real> matrix = slice(matrices_, (e - begin) * entries, entries);
    worst = std::max(worst, elasticity::error_over_tolerance<Real>(tables_, prisms_, e, matrix));
  }
  return worst;
}

template <class Real>
void ElementBatches<Real>::add_to(const Instance& instance, linalg::BlockMatrix<Real>& matrix,
                                  std::size_t batch) const {
  matrix.add(instance, matrices_, first(batch), count(batch));
}

template <class Real>
double assemble(const Instance& instance, ElementBatches<Real>& batches, linalg::BlockMatrix<Real>& matrix,
                measure::Phases& phases) {
  double worst = 0;
  for (std::size_t b = 0; b < batches.size() && worst <= 1; ++b) {
    phases.time("integration", [&] { batches.integrate(instance, b); });
    worst = std::max(worst, phases.time("verification", [&] { return batches.error_over_tolerance(b); }));
    if (worst <= 1) phases.time("assembly", [&] { batches.add_to(instance, matrix, b); });
  }
  return worst;
}

template <class Real>
linalg::BlockMatrix<Real> assemble(const Instance& instance, ElementBatches<Real>& batches, const space::Space& space) {
  linalg::BlockMatrix<Real> matrix(space, linalg::make_block_pattern(space.element_to_node.host(), space.num_nodes));
  measure::Phases phases;
  const double error = assemble(instance, batches, matrix, phases);
  if (error > 1)
    throw ResultError("element matrices of order " + std::to_string(space.order) + " differ from the reference's by " +
                      std::to_string(error) + " times what rounding allows");
  return matrix;
}

template <class Real>
linalg::BlockMatrix<Real> assemble(const Instance& instance, const Prisms& prisms, const space::Space& space,
                                   const AssemblyOptions& options) {
  ElementBatches<Real> batches(prisms, space.order, options);
  return assemble(instance, batches, space);
}

#define MINIAPP_INSTANTIATE(Real)                                                                                 \
  template class ElementBatches<Real>;                                                                            \
  template double assemble(const Instance&, ElementBatches<Real>&, linalg::BlockMatrix<Real>&, measure::Phases&); \
  template linalg::BlockMatrix<Real> assemble(const Instance&, ElementBatches<Real>&, const space::Space&);       \
  template linalg::BlockMatrix<Real> assemble(const Instance&, const Prisms&, const space::Space&,                \
                                              const AssemblyOptions&);
MINIAPP_INSTANTIATE(double)
MINIAPP_INSTANTIATE(float)
#undef MINIAPP_INSTANTIATE

}  // namespace miniapp::elasticity
