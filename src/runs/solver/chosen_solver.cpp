// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/chosen_solver.hpp"

#include "miniapp/core/error.hpp"
#include "miniapp/solver/boomer_amg.hpp"
#include "miniapp/solver/chow_patel.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/solver/level_ilu.hpp"
#include "miniapp/solver/neumann_factors.hpp"
#include "miniapp/solver/pipelined_cg.hpp"

namespace miniapp::solver {
namespace {

template <class Real>
ChosenPreconditioner<Real> make_preconditioner(const linalg::DistributedMatrix& matrix, const SolveSettings& settings,
                                               const std::function<void(const char*)>& phase) {
  const PreconditionerKind kind = settings.preconditioner;
  const auto make_in = [&](const char* name, const auto& make) {
    phase(name);
    return make();
  };
  switch (kind) {
    case PreconditionerKind::none:
      return make_any<Real, Identity>();
    case PreconditionerKind::jacobi:
      phase("diagonal");
      return make_any<Real, Jacobi<Real>>(linalg::diagonal(matrix.own));
    case PreconditionerKind::amg:
      if (!matrix.ranks.is_alone()) {
        const auto rows = make_in("rows", [&] { return linalg::make_global_rows(matrix); });
        return make_in("hypre", [&] { return make_any<Real, BoomerAmg>(rows); });
      }
      [[fallthrough]];
    case PreconditionerKind::block_amg: {
      AmgOptions options = settings.amg;
      options.phase = phase;
      if (std::is_same_v<Real, double> && settings.amg_precision == Precision::fp64)
        return make_any<Real, Amg<Real>>(matrix.own, options);
      return make_any<Real, Amg<float>>(matrix.own, options);
    }
    case PreconditionerKind::ilu0_level: {
      const auto factors = make_in("factors", [&] { return level_ilu(matrix.own); });
      return make_in("application", [&] { return make_any<Real, LevelFactors<Real>>(factors); });
    }
    case PreconditionerKind::ilu0_chow_patel:
    case PreconditionerKind::ic0_chow_patel:
      break;
  }
  const Incomplete which = kind == PreconditionerKind::ic0_chow_patel ? Incomplete::ic0 : Incomplete::ilu0;
  const auto factors = make_in("factors", [&] { return chow_patel(matrix.own, which, settings.sweeps); });
  return make_in("application", [&] { return make_any<Real, NeumannFactors<Real>>(factors, settings.neumann); });
}

}  // namespace

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
