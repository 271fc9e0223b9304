// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/solver/amg.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// A cycle of algebraic multigrid on the matrix of order 1 (make_trilinear_matrix(), of a mass its diagonal), the
/// lowest level of multigrid over orders. On several ranks each has the matrix of the whole mesh: right-hand sides are
/// gathered, and every rank does the same. So the cycle is that of one rank; it takes the memory and the time of the
/// vertices of the whole mesh on each rank.
class LowestOrder {
 public:
  /// `d` is of order 1. Errors: as these matrices; more than 2^31 - 1 vertices or entries of the whole mesh
  /// (InputError).
  LowestOrder(const Discretisation& d, const solver::AmgOptions& options);
  ~LowestOrder();
  /// x = the result of a cycle from zero for one component of the right-hand side f, (node).
  void run(const Instance& instance, const Vector<const float>& f, const Vector<float>& x) const;
  const solver::Amg<float>& amg() const { return *amg_; }
  /// Memory [bytes].
  double bytes() const;

 private:
  struct Gathered;
  std::unique_ptr<solver::Amg<float>> amg_;
  std::unique_ptr<Gathered> gathered_;  ///< null on one rank
};

}  // namespace miniapp::tensor
