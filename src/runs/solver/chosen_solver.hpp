// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "miniapp/linalg/distributed_operator.hpp"
#include "miniapp/solver/any_preconditioner.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "runs/solver/settings.hpp"

namespace miniapp::solver {

/// A method, its preconditioner and their vectors for one matrix, chosen at run time. On several ranks amg is of all
/// rows; others are of the block of this rank's own rows, block Jacobi without overlap.
template <class Real>
class ChosenSolver {
 public:
  /// `matrix` is that of `A`, which must outlive the solver. `phase(name)` is called when a part of the set-up begins,
  /// with an empty name at the end. Collective. Errors: those of the preconditioner; InputError where a pointwise one
  /// is needed.
  ChosenSolver(const linalg::DistributedMatrix& matrix, const linalg::DistributedOperator<Real>& A,
               const SolveSettings& settings, const std::function<void(const char*)>& phase);

  /// Solves A x = b from x = 0. Errors: as cg().
  CgResult solve(const Instance& instance, const Vector<const Real>& b, const Vector<Real>& x,
                 const CgOptions& options);
  const AnyPreconditioner<Real>& preconditioner() const { return *preconditioner_; }
  /// Launches per triangle of a substitution by levels; 0 for others.
  int launch_levels() const;

 private:
  template <class M>
  CgResult solve_on_device(const Instance& instance, const M& m, const Vector<const Real>& b, const Vector<Real>& x,
                           const CgOptions& options);

  const linalg::DistributedOperator<Real>& A_;
  CgMethod method_;
  ChosenPreconditioner<Real> preconditioner_;
  std::optional<DeviceCgWorkspace<Real>> on_device_;  // with a pointwise preconditioner
  std::optional<CgWorkspace<Real>> work_;             // with another one
};

}  // namespace miniapp::solver
