// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/multigrid/low_order.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/solver/neumann_factors.hpp"

namespace miniapp::multigrid {

/// What algebraic multigrid takes for low-order refined matrices: a strength of 0.04, V-cycles and two entries per row
/// of the first interpolation. Sub-cells between Gauss-Lobatto nodes are longer than wide, so that many couplings are
/// weak: with the usual 0.08 and W-cycles CG takes 47 iterations for BP3.0 of order 7 on 4096 elements to 1e-8, with
/// these 31, or 30 with all entries, for which R A P has nearly twice the products.
solver::AmgOptions low_order_amg_options();

/// Entries of the low-order refined matrix of a box of so many nodes per direction, whose outer nodes are constrained
/// where `masked`: 19 per row inside, one per row of a mass.
double num_low_order_entries(const std::array<double, 3>& nodes, bool stiffness, bool masked);

/// z = M^-1 r, component by component, M^-1 in single precision unless M says otherwise, made of the low-order refined
/// matrix of a problem. The matrix is of nodes, so that all components have the same M. Vectors are (component, node).
/// Bytes per component: as M.
template <class M>
class LowOrderPreconditioner : public solver::StoresResult {
 public:
  LowOrderPreconditioner(const Discretisation& d, std::unique_ptr<const M> one)
      : nodes_(space::make_unknowns(d.space.num_nodes)), one_(std::move(one)) {}

  /// z = M^-1 r; returns r . z.
  template <class Real>
  double apply(const Instance& instance, const space::Space&, const Vector<const Real>& r, const Vector<Real>& z,
               double) const {
    const auto size = static_cast<std::size_t>(nodes_.num_nodes);
    double sum = 0;
    for (std::size_t first = 0; first < r.extent(0); first += size)
      sum += one_->template apply<Real>(instance, nodes_, Vector<const Real>(r.data() + first, size),
                                        Vector<Real>(z.data() + first, size), 0);
    return sum;
  }

  /// What preconditions one component.
  const M& one() const { return *one_; }
  /// The levels where M is multigrid.
  std::optional<solver::Hierarchy> hierarchy() const {
    if constexpr (requires { one_->hierarchy(); }) return one_->hierarchy();
    return {};
  }
  /// Memory [bytes].
  double bytes() const { return one_->bytes(); }

 private:
  space::Space nodes_;
  std::unique_ptr<const M> one_;
};

/// A cycle of algebraic multigrid, and one in double precision.
using LowOrderAmg = LowOrderPreconditioner<solver::Amg<float>>;
using LowOrderAmgInDouble = LowOrderPreconditioner<solver::Amg<double>>;
/// Incomplete Cholesky factors by low_order_sweeps sweeps of Chow and Patel, low_order_terms terms of Neumann's series.
using LowOrderIlu = LowOrderPreconditioner<solver::NeumannFactors<float>>;

constexpr int low_order_sweeps = 3, low_order_terms = 2;

/// Time the phases "low-order matrix" and "amg" or "factors". Errors: as make_low_order_matrix() and solver::Amg, or
/// solver::chow_patel().
template <class Real = float>
LowOrderPreconditioner<solver::Amg<Real>> make_low_order_amg(
    const Discretisation& d, measure::Phases& phases, const solver::AmgOptions& options = low_order_amg_options());
LowOrderIlu make_low_order_ilu(const Discretisation& d, measure::Phases& phases);

}  // namespace miniapp::multigrid
