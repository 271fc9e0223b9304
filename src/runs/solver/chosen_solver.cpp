// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/chosen_solver.hpp"

#include "miniapp/core/error.hpp"
#include "miniapp/solver/pipelined_cg.hpp"

namespace miniapp::solver {

template <class Real>
ChosenSolver<Real>::ChosenSolver(const linalg::DistributedMatrix& matrix, const linalg::DistributedOperator<Real>& A,
                                 const SolveSettings& settings, const std::function<void(const char*)>& phase)
    : A_(A), method_(settings.method) {
  const bool pointwise = is_pointwise(settings.preconditioner);
  require(method_ == CgMethod::cg || pointwise, "method", name(method_),
          "needs a pointwise preconditioner; accepted are none, jacobi");
  preconditioner_ = make_preconditioner<Real>(matrix, settings, phase);
  phase("");
  if (pointwise)
    on_device_.emplace(A.space().num_entries());
  else
    work_.emplace(A.space().num_entries(), true);
}

template <class Real>
CgResult ChosenSolver<Real>::solve(const Instance& instance, const Vector<const Real>& b, const Vector<Real>& x,
                                   const CgOptions& options) {
  if (const auto* const m = preconditioner_->template as<Identity>())
    return solve_on_device(instance, *m, b, x, options);
  if (const auto* const m = preconditioner_->template as<Jacobi<Real>>())
    return solve_on_device(instance, *m, b, x, options);
  return cg<Real>(instance, A_, *preconditioner_, b, x, *work_, options);
}

template <class Real>
template <class M>
CgResult ChosenSolver<Real>::solve_on_device(const Instance& instance, const M& m, const Vector<const Real>& b,
                                             const Vector<Real>& x, const CgOptions& options) {
  if (method_ == CgMethod::pipelined_cg) return pipelined_cg<Real>(instance, A_, m, b, x, *on_device_, options);
  return fused_cg<Real>(instance, A_, m, b, x, *on_device_, options);
}

template <class Real>
int ChosenSolver<Real>::launch_levels() const {
  const auto* const factors = preconditioner_->template as<LevelFactors<Real>>();
  return factors ? factors->num_levels() : 0;
}

template class ChosenSolver<double>;
template class ChosenSolver<float>;

}  // namespace miniapp::solver
