// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/tensor/low_order.hpp"

namespace miniapp::tensor {

/// What algebraic multigrid takes for low-order refined matrices: a strength of 0.04 and V-cycles. Sub-cells between
/// Gauss-Lobatto nodes are longer than wide, so that many couplings are weak: with the usual 0.08 and W-cycles CG takes
/// 47 iterations for BP3.0 of order 7 on 4096 elements to 1e-8, with these 30.
solver::AmgOptions low_order_amg_options();

/// Entries of the low-order refined matrix of a box of so many nodes per direction, whose outer nodes are masked where
/// `masked`: 19 per row inside, one per row of a mass.
double num_low_order_entries(const std::array<double, 3>& nodes, bool stiffness, bool masked);

/// z = M^-1 r, component by component, M^-1 a cycle of algebraic multigrid on the low-order refined matrix of a
/// problem, in single precision. The matrix is of nodes, so that all components have the same hierarchy. Vectors are
/// (component, node). Bytes per component: as solver::Amg.
class LowOrderPreconditioner {
 public:
  /// Times the phases "low-order matrix" and "amg". Errors: as make_low_order_matrix() and solver::Amg.
  LowOrderPreconditioner(const Discretisation& d, measure::Phases& phases,
                         const solver::AmgOptions& options = low_order_amg_options());

  /// z = M^-1 r; returns r . z.
  template <class Real>
  double apply(const Instance& instance, const space::Space&, const Vector<const Real>& r, const Vector<Real>& z,
               double) const {
    const auto size = static_cast<std::size_t>(nodes_.num_nodes);
    double sum = 0;
    for (std::size_t first = 0; first < r.extent(0); first += size)
      sum += amg_->apply<Real>(instance, nodes_, Vector<const Real>(r.data() + first, size),
                               Vector<Real>(z.data() + first, size), 0);
    return sum;
  }
  template <class Real>
  Vector<const Real> result(const Vector<const Real>&, const Vector<Real>& z) const {
    return z;
  }

  const solver::Amg<float>& amg() const { return *amg_; }

 private:
  space::Space nodes_;
  std::unique_ptr<solver::Amg<float>> amg_;
};

}  // namespace miniapp::tensor
