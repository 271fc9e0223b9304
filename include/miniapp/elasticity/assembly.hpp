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
  std::size_t batch_bytes = std::size_t(256) << 20;  ///< of element matrices at a time; one element at least
};

/// The stiffness matrix of a mesh of prisms, batch by batch of elements, so that their matrices and the sum need not be
/// in memory together. On small boxes those of all elements take 3.1 times the memory of their sum at order 1, 1.3
/// times at order 3, 1.03 times at order 7: for that reason no product goes element by element.
///
///   ElementBatches<double> batches(prisms, order, options);
///   linalg::BlockMatrix<double> matrix(space, linalg::make_block_pattern(map, nodes));
///   for (std::size_t b = 0; b < batches.size(); ++b) {
///     batches.integrate(instance, b);
///     if (batches.error_of_tolerance(b) <= 1) batches.add_to(instance, matrix, b);
///   }
template <class Real>
class ElementBatches {
 public:
  using Integrator = elasticity::Integrator<Real>;

  /// Errors: InputError where no kernel of this build can run the method at this order (why_not).
  ElementBatches(const Prisms& prisms, int order, const AssemblyOptions& options);
  /// Of another integrator, which reads vertices.
  ElementBatches(const Prisms& prisms, int order, std::size_t batch_bytes, std::unique_ptr<Integrator> integrator);

  std::size_t size() const { return (elements_ + a_batch_ - 1) / a_batch_; }
  /// Elements of a batch but the last.
  std::size_t elements_a_batch() const { return a_batch_; }

  /// Computes the matrices of a batch, over those of the one before. Waits only where it copies Jacobians.
  void integrate(const Instance& instance, std::size_t batch);
  /// What integrate(batch) computed against the reference, over what rounding allows (error_of_tolerance):
  /// the worst of those of the mesh's first, middle and last element that are in the batch, 0 where none is.
  double error_of_tolerance(std::size_t batch) const;
  /// Adds what integrate(batch) computed, without waiting.
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

/// All of the above, into `matrix`: phases "integration", "verification" and "assembly". The worst error_of_tolerance()
/// of the batches; where it is above 1 nothing of that batch and those after it was added.
template <class Real>
double assemble(const Instance& instance, ElementBatches<Real>& batches, linalg::BlockMatrix<Real>& matrix,
                measure::Phases& phases);

/// The same from the start. Errors: ResultError where an element matrix is wrong.
template <class Real>
linalg::BlockMatrix<Real> assemble(const Instance& instance, ElementBatches<Real>& batches, const space::Space& space);
/// Errors: InputError too, as ElementBatches.
template <class Real>
linalg::BlockMatrix<Real> assemble(const Instance& instance, const Prisms& prisms, const space::Space& space,
                                   const AssemblyOptions& options);

}  // namespace miniapp::elasticity
