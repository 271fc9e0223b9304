// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "miniapp/linalg/distributed_operator.hpp"
#include "runs/hierarchy.hpp"
#include "runs/solver/settings.hpp"

namespace miniapp::solver {

/// A method, its preconditioner and their vectors for one matrix, chosen at run time.
template <class Real>
class ChosenSolver {
 public:
  virtual ~ChosenSolver() = default;
  /// Solves A x = b from x = 0. Errors: as cg().
  virtual CgResult solve(const Instance& instance, const Vector<const Real>& b, const Vector<Real>& x,
                         const CgOptions& options) = 0;
  /// The levels of multigrid, where it is the preconditioner.
  virtual std::optional<Hierarchy> hierarchy() const { return {}; }
  /// Memory of the preconditioner, or what its application moves at least; 0 for pointwise ones.
  virtual double preconditioner_bytes() const { return 0; }
  /// Launches per triangle of a substitution by levels; 0 for others.
  virtual int launch_levels() const { return 0; }
};

/// `matrix` is that of `A`. On several ranks amg is of all rows; others are of the block of this rank's own rows, block
/// Jacobi without overlap. `A` must outlive the solver; `phase(name)` is called when a part of the set-up begins, with
/// an empty name at the end. Collective. Errors: those of the preconditioner; InputError where a pointwise one is
/// needed.
template <class Real>
std::unique_ptr<ChosenSolver<Real>> make_solver(const linalg::DistributedMatrix& matrix,
                                                const linalg::DistributedOperator<Real>& A,
                                                const SolveSettings& settings,
                                                const std::function<void(const char*)>& phase);

}  // namespace miniapp::solver
