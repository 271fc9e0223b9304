// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/chosen_solver.hpp"

#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/solver/boomer_amg.hpp"
#include "miniapp/solver/chow_patel.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/solver/level_ilu.hpp"
#include "miniapp/solver/neumann_factors.hpp"
#include "miniapp/solver/pipelined_cg.hpp"

namespace miniapp::solver {
namespace {

template <class Real, PointwisePreconditioner<Real> M>
class PointwiseSolver : public ChosenSolver<Real> {
 public:
  PointwiseSolver(const linalg::DistributedOperator<Real>& A, M m, CgMethod method)
      : A_(A), m_(std::move(m)), method_(method), work_(A.space().num_entries()) {}

  CgResult solve(const Instance& instance, const Vector<const Real>& b, const Vector<Real>& x,
                 const CgOptions& options) override {
    if (method_ == CgMethod::pipelined_cg) return pipelined_cg<Real>(instance, A_, m_, b, x, work_, options);
    return fused_cg<Real>(instance, A_, m_, b, x, work_, options);
  }

 private:
  const linalg::DistributedOperator<Real>& A_;
  M m_;
  CgMethod method_;
  DeviceCgWorkspace<Real> work_;
};

template <class Real, Preconditioner<Real> M>
class GeneralSolver : public ChosenSolver<Real> {
 public:
  /// `arguments`: of M.
  template <class... Arguments>
  explicit GeneralSolver(const linalg::DistributedOperator<Real>& A, Arguments&&... arguments)
      : A_(A), m_(std::forward<Arguments>(arguments)...), work_(A.space().num_entries(), true) {}

  CgResult solve(const Instance& instance, const Vector<const Real>& b, const Vector<Real>& x,
                 const CgOptions& options) override {
    return cg<Real>(instance, A_, m_, b, x, work_, options);
  }
  std::optional<Hierarchy> hierarchy() const override {
    if constexpr (requires { m_.grid_complexity(); }) return describe(m_);
    return {};
  }
  double preconditioner_bytes() const override { return m_.bytes(); }
  int launch_levels() const override {
    if constexpr (requires { m_.num_levels(); }) return m_.num_levels();
    return 0;
  }

 private:
  const linalg::DistributedOperator<Real>& A_;
  M m_;
  CgWorkspace<Real> work_;
};

template <class Real>
std::unique_ptr<ChosenSolver<Real>> make_amg_solver(const linalg::CsrMatrix<double>& matrix,
                                                    const linalg::DistributedOperator<Real>& A,
                                                    const SolveSettings& settings,
                                                    const std::function<void(const char*)>& phase) {
  AmgOptions options = settings.amg;
  options.phase = phase;
  if constexpr (std::is_same_v<Real, double>)
    if (settings.amg_precision == Precision::fp64)
      return std::make_unique<GeneralSolver<Real, Amg<double>>>(A, matrix, options);
  return std::make_unique<GeneralSolver<Real, Amg<float>>>(A, matrix, options);
}

template <class Real>
std::unique_ptr<ChosenSolver<Real>> make_boomer_amg_solver(const linalg::DistributedMatrix& matrix,
                                                           const linalg::DistributedOperator<Real>& A,
                                                           const std::function<void(const char*)>& phase) {
  phase("rows");
  const linalg::GlobalRows rows = linalg::make_global_rows(matrix);
  phase("hypre");
  auto solver = std::make_unique<GeneralSolver<Real, BoomerAmg>>(A, rows);
  phase("");
  return solver;
}

template <class Real>
std::unique_ptr<ChosenSolver<Real>> make_factors_solver(const linalg::CsrMatrix<double>& matrix,
                                                        const linalg::DistributedOperator<Real>& A,
                                                        const SolveSettings& settings,
                                                        const std::function<void(const char*)>& phase) {
  const PreconditionerKind kind = settings.preconditioner;
  phase("factors");
  const IncompleteFactors factors =
      kind == PreconditionerKind::ilu0_level
          ? level_ilu(matrix)
          : chow_patel(matrix, kind == PreconditionerKind::ic0_chow_patel ? Incomplete::ic0 : Incomplete::ilu0,
                       settings.sweeps);
  phase("application");
  std::unique_ptr<ChosenSolver<Real>> solver;
  if (kind == PreconditionerKind::ilu0_level)
    solver = std::make_unique<GeneralSolver<Real, LevelFactors<Real>>>(A, factors);
  else
    solver = std::make_unique<GeneralSolver<Real, NeumannFactors<Real>>>(A, factors, settings.neumann);
  phase("");
  return solver;
}

}  // namespace

template <class Real>
std::unique_ptr<ChosenSolver<Real>> make_solver(const linalg::DistributedMatrix& matrix,
                                                const linalg::DistributedOperator<Real>& A,
                                                const SolveSettings& settings,
                                                const std::function<void(const char*)>& phase) {
  const PreconditionerKind kind = settings.preconditioner;
  require(settings.method == CgMethod::cg || is_pointwise(kind), "method", name(settings.method),
          "needs a pointwise preconditioner; accepted are none, jacobi");
  switch (kind) {
    case PreconditionerKind::none:
      return std::make_unique<PointwiseSolver<Real, Identity>>(A, Identity(), settings.method);
    case PreconditionerKind::jacobi: {
      phase("diagonal");
      Jacobi<Real> jacobi(linalg::diagonal(matrix.own));
      phase("");
      return std::make_unique<PointwiseSolver<Real, Jacobi<Real>>>(A, std::move(jacobi), settings.method);
    }
    case PreconditionerKind::amg:
      if (!matrix.ranks.is_alone()) return make_boomer_amg_solver(matrix, A, phase);
      return make_amg_solver(matrix.own, A, settings, phase);
    case PreconditionerKind::block_amg:
      return make_amg_solver(matrix.own, A, settings, phase);
    case PreconditionerKind::ilu0_level:
    case PreconditionerKind::ilu0_chow_patel:
    case PreconditionerKind::ic0_chow_patel:
      break;
  }
  return make_factors_solver(matrix.own, A, settings, phase);
}

template std::unique_ptr<ChosenSolver<double>> make_solver(const linalg::DistributedMatrix&,
                                                           const linalg::DistributedOperator<double>&,
                                                           const SolveSettings&,
                                                           const std::function<void(const char*)>&);
template std::unique_ptr<ChosenSolver<float>> make_solver(const linalg::DistributedMatrix&,
                                                          const linalg::DistributedOperator<float>&,
                                                          const SolveSettings&,
                                                          const std::function<void(const char*)>&);

}  // namespace miniapp::solver
