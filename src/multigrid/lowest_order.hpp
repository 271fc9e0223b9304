// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "miniapp/multigrid/options.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::multigrid {

/// A cycle of algebraic multigrid on the matrix of order 1 (make_trilinear_matrix(), of a mass its diagonal), the
/// lowest level of multigrid over orders. On several ranks it is redundant or distributed. Redundant: each rank has the
/// matrix of the whole mesh; right-hand sides are gathered, and every rank does the same. So the cycle is that of one
/// rank, but that masked nodes have no rows; it takes the memory and the time of the whole mesh's vertices on each
/// rank. Distributed: a cycle on the rows of all ranks; no rank has more than its part of levels that are not small.
class LowestOrder {
 public:
  /// `d`, which must outlive it, is of order 1. `way` is not automatic on several ranks; on one it does not count.
  /// Collective. Errors: as these matrices; redundant, more than 2^31 - 1 entries of the whole mesh
  /// (InputError).
  LowestOrder(const Discretisation& d, const solver::AmgOptions& options, LowestWork way);
  ~LowestOrder();
  /// Makes the matrix and its levels anew, after lambda, coefficient or surface masses of `d` have changed. The numbers
  /// of vertices and the messages between ranks stay; aggregates do not, since they follow the couplings. Collective.
  void update();
  /// Whether run() adds up what ranks have in f at the nodes that they share, since it gathers f.
  bool adds_parts() const { return gathered_ != nullptr; }
  /// x = the result of a cycle from zero for each component of the right-hand side f, (component, node). Collective.
  void run(const Instance& instance, const Vector<const float>& f, const Vector<float>& x) const;
  /// Whether run() waits for the instance.
  bool waits() const;
  /// From the finest level to the coarsest, of all ranks.
  const std::vector<solver::AmgLevel>& levels() const;
  /// Memory of this rank [bytes].
  double bytes() const;

 private:
  struct Gathered;
  bool is_distributed() const { return way_ == LowestWork::distributed && !space_.exchange.empty(); }
  void number_rows();
  void set_up();
  void run_component(const Instance& instance, const Vector<const float>& f, const Vector<float>& x) const;

  const Discretisation& discretisation_;
  const space::Space& space_;
  solver::AmgOptions options_;
  LowestWork way_;
  std::vector<std::int64_t> numbers_;  ///< redundant: (node) its vertex in the whole mesh
  std::int64_t size_ = 0;              ///< vertices of the whole mesh
  std::vector<Index> row_of_vertex_;   ///< redundant: (vertex of the whole mesh) its row of the matrix, -1: none
  std::unique_ptr<solver::Amg<float>> amg_;
  std::unique_ptr<Gathered> gathered_;  ///< null on one rank, and distributed
};

}  // namespace miniapp::multigrid
