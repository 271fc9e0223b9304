// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "miniapp/core/detail/replay.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::multigrid {

class LowestOrder;

/// z = M^-1 r, M^-1 a V-cycle over orders on one mesh, in single precision. A level is the problem discretised with its
/// order (level_operator.hpp); order 1 is the matrix of trilinear elements, of a mass its diagonal (low_order.hpp),
/// treated by algebraic multigrid (lowest_order.hpp). Before and after the lower order a level is smoothed
/// by `degree` steps of Chebyshev's iteration of the fourth kind (chebyshev.hpp). On the diagonal the cycle is
/// symmetric positive definite, on Schwarz it is not symmetric. Per cycle a level's operator is applied 2 degree times.
/// Memory per level: its smoother's, 2 words per unknown, 8 bytes per local node.
class PMultigrid : public solver::StoresResult, public solver::SinglePrecisionPreconditioner {
 public:
  /// `d` must outlive it. Times the phases "levels", "smoothers", "transfers", "eigenvalues" and "amg". Errors:
  /// InputError where d.order is 1, or it has no kernel; ResultError where an eigenvalue cannot be estimated; as
  /// make_trilinear_matrix(), make_low_order_matrix() and solver::Amg.
  PMultigrid(const Discretisation& d, const MultigridOptions& options, measure::Phases& phases);
  explicit PMultigrid(const Discretisation& d, const MultigridOptions& options = {});
  ~PMultigrid() override;
  /// Takes lambda, coefficient and surface masses anew from `d`, where they have changed: the preconditioner is then
  /// that of a new set-up. Kept are all spaces, nodes beyond elements, transfers, messages between ranks and the
  /// vectors, and where lambda alone has changed the modes of Schwarz. Made anew are the factors of operators, the
  /// estimates of eigenvalues, and order 1's matrix with its algebraic multigrid, whose aggregates follow the
  /// couplings. O(nodes). Times the phases "smoothers", "eigenvalues" and "amg". Collective. Errors: as the
  /// constructor, and ElementOperator::update().
  void update(measure::Phases& phases);
  void update();

  /// z = M^-1 r; returns r . z.
  template <class Real>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double) const;
  bool is_symmetric() const { return options_.smoother == Smoother::jacobi; }

  /// correction() = M^-1 residual(), vectors of the finest level.
  void run(const Instance& instance) const override;
  Vector<float> residual() const override;
  Vector<const float> correction() const override;

  /// Orders of the levels, from the finest to 1.
  const std::vector<int>& orders() const { return orders_; }
  /// The options, with the degree and the treatment of the lowest order that were chosen.
  const MultigridOptions& options() const { return options_; }
  /// Time of a cycle that each level takes, the last by itself, medians [s].
  std::vector<double> level_seconds(const Instance& instance, int repeat) const;
  /// Estimates of the largest eigenvalue of B A, of each level but the last.
  std::vector<double> largest_eigenvalues() const;
  /// Levels of algebraic multigrid on the order-1 problem, from the finest to the coarsest.
  const std::vector<solver::AmgLevel>& lowest_levels() const;
  /// Memory of levels and their vectors [bytes].
  double bytes() const;

 private:
  struct Level;
  void estimate_eigenvalues();
  void cycle(const Instance& instance, std::size_t level) const;
  /// Whether cycle() waits for the instance.
  bool waits() const;

  MultigridOptions options_;
  bool chooses_degree_;
  tensor::Terms terms_;  ///< those that the levels know
  std::vector<int> orders_;
  std::vector<std::unique_ptr<Level>> levels_;  // the last has no operator
  std::unique_ptr<LowestOrder> lowest_;
  mutable Replay replay_;
};

}  // namespace miniapp::multigrid
