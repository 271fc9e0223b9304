// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "miniapp/core/detail/replay.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// z = M^-1 r, M^-1 a V-cycle over orders on one mesh, in single precision. A level is the problem discretised with its
/// order, by its fastest kernel; order 1 is its low-order matrix (low_order.hpp), treated by one cycle of algebraic
/// multigrid. Before and after the lower order a level is smoothed by `degree` steps of Chebyshev's iteration of the
/// fourth kind on D^-1 A:
///
///   d = (2 k - 3) / (2 k + 1) d + (8 k - 4) / (2 k + 1) / lambda D^-1 (f - A x), x += d, k = 1 .. degree
///
/// with lambda 1.1 times an estimate of the largest eigenvalue. The cycle is symmetric positive definite. Per cycle a
/// level's operator is applied 2 degree times. Source: J. Lottes, Optimal polynomial smoothers for multigrid V-cycles,
/// arXiv 2202.08830 (2022). Memory per level: its operator in single precision, 5 words per unknown, 5 bytes per local
/// node.
class PMultigrid : public solver::StoresResult {
 public:
  /// `d` must outlive it. Times the phases "levels", "smoothers", "transfers" and "amg". Errors: InputError where
  /// d.order is 1, or it has no kernel; as make_low_order_matrix() and solver::Amg.
  PMultigrid(const Discretisation& d, int degree, measure::Phases& phases);
  ~PMultigrid();

  /// z = M^-1 r; returns r . z.
  template <class Real>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double) const;

  /// Orders of the levels, from the finest to 1.
  const std::vector<int>& orders() const { return orders_; }
  int degree() const { return degree_; }
  /// Of the order-1 problem.
  const solver::Amg<float>& amg() const { return *amg_; }
  /// Memory of levels and their vectors [bytes].
  double bytes() const;

 private:
  struct Level;
  void cycle(const Instance& instance, std::size_t level) const;
  void smooth(const Instance& instance, const Level& level, bool from_zero) const;

  int degree_;
  std::vector<int> orders_;
  std::vector<std::unique_ptr<Level>> levels_;  // the last has no operator
  std::unique_ptr<solver::Amg<float>> amg_;
  mutable Replay replay_;
};

}  // namespace miniapp::tensor
