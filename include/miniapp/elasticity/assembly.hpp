// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>

#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/linalg/block_matrix.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::elasticity {

struct AssemblyOptions {
  Method method = Method::reg_jac;
  std::size_t batch_bytes = std::size_t(256) << 20;  ///< memory for element matrices at a time; at least one fits
};

/// Assembles the stiffness matrix of a mesh of prisms in batches of elements, so that the matrices of all elements need
/// not be in memory together with the assembled one. On small boxes the element matrices take 3.1 times the memory of
/// the assembled matrix at order 1, 1.3 times at order 3 and 1.03 times at order 7; products element by element would
/// therefore save nothing.
///
///   ElementBatches<double> batches(prisms, order, options);
///   linalg::BlockMatrix<double> matrix(space, linalg::make_block_pattern(map, nodes));
///   for (std::size_t b = 0; b < batches.size(); ++b) {
///     batches.integrate(instance, b);
///     if (batches.error_over_tolerance(b) <= 1) batches.add_to(instance, matrix, b);
///   }
template <class Real>
class ElementBatches {
 public:
  using Integrator = elasticity::Integrator<Real>;

  /// Errors: InputError where no kernel of this build can run the method at this order (why_not).
  ElementBatches(const Prisms& prisms, int order, const AssemblyOptions& options);
  /// Batches of another integrator, which must read vertices.
  ElementBatches(const Prisms& prisms, int order, std::size_t batch_bytes, std::unique_ptr<Integrator> integrator);

  std::size_t size() const { return (elements_ + a_batch_ - 1) / a_batch_; }
  /// Elements per batch; the last one may have fewer.
  std::size_t elements_a_batch() const { return a_batch_; }

  /// Computes the matrices of a batch and overwrites those of the previous one. Waits only where it copies Jacobians.
  void integrate(const Instance& instance, std::size_t batch);
  /// Error / tolerance of the matrices of integrate(batch) against the reference (see the function
  /// error_over_tolerance): the largest over those of the mesh's first, middle and last element that are in the batch;
  /// 0 if none is.
  double error_over_tolerance(std::size_t batch) const;
  /// Adds the matrices of integrate(batch), without waiting.
  void add_to(const Instance& instance, linalg::BlockMatrix<Real>& matrix, std::size_t batch) const;

 private:
  std::size_t first(std::size_t batch) const { return batch * a_batch_; }
  std::size_t count(std::size_t batch) const { return std::min(a_batch_, elements_ - first(batch)); }

  Prisms prisms_;
  basis::PrismTables tables_;
  bool reads_jacobians_ = false;
  std::size_t elements_, a_batch_;
  std::unique_ptr<Integrator> integrator_;
  Input<Real> all_;        ///< vertices and materials of all elements
  Vector<Real> matrices_;  ///< (element of the batch, i, k, r, s)
};

/// Assembles all batches into `matrix`; the phases are "integration", "verification" and "assembly". Returns the
/// largest error_over_tolerance() of the batches; if it is above 1, that batch and the following ones were not added.
template <class Real>
double assemble(const Instance& instance, ElementBatches<Real>& batches, linalg::BlockMatrix<Real>& matrix,
                measure::Phases& phases);

/// Creates the matrix of a space and adds all batches to it. Errors: ResultError where an element matrix is wrong.
template <class Real>
linalg::BlockMatrix<Real> assemble(const Instance& instance, ElementBatches<Real>& batches, const space::Space& space);
/// Assembles with the integrator of a method and an order. Errors: also InputError, as ElementBatches.
template <class Real>
linalg::BlockMatrix<Real> assemble(const Instance& instance, const Prisms& prisms, const space::Space& space,
                                   const AssemblyOptions& options);

}  // namespace miniapp::elasticity
