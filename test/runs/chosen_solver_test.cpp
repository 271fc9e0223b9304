// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/chosen_solver.hpp"

#include "support/sparse.hpp"

using solver::CgMethod, solver::PreconditionerKind, solver::SolveSettings;

namespace {

struct Solved {
  solver::CgResult cg;
  std::vector<std::string> phases;
  std::optional<solver::Hierarchy> hierarchy;
  double residual, bytes, traffic;
  int levels;
};

template <class Real>
Solved solve(const linalg::CsrMatrix<double>& A, const SolveSettings& settings) {
  Solved solved;
  const linalg::DistributedMatrix undivided = linalg::make_undivided(A);
  const linalg::DistributedOperator<Real> op(undivided);
  solver::ChosenSolver<Real> chosen(undivided, op, settings,
                                    [&](const char* phase) { solved.phases.push_back(phase); });
  const auto size = static_cast<std::size_t>(A.num_rows);
  const std::vector<double> b(size, 1);
  const Vector<Real> x = make_vector<Real>("x", size);
  solved.cg = chosen.solve(Instance(), miniapp::to_device<Real>("b", std::vector<Real>(size, 1)), x, settings.cg);
  solved.hierarchy = chosen.preconditioner().hierarchy();
  solved.bytes = chosen.preconditioner().bytes();
  solved.traffic = chosen.preconditioner().traffic();
  solved.levels = chosen.launch_levels();
  solved.residual = relative_distance(multiply(to_rows(A), to_std(convert<double>(x))), b);
  return solved;
}

}  // namespace

TEMPLATE_TEST_CASE("Every choice of method and preconditioner solves the system", "[solver]", double, float) {
  SolveSettings settings;
  settings.method = GENERATE(from_range(members<CgMethod>()));
  settings.preconditioner = GENERATE(from_range(members<PreconditionerKind>()));
  if (settings.preconditioner == PreconditionerKind::automatic || !why_not(settings.preconditioner).empty()) return;
  settings.amg_precision = GENERATE(from_range(members<Precision>()));
  settings.amg.coarsest = 20;
  settings.cg.tolerance = std::is_same_v<TestType, double> ? 1e-8 : 1e-4;
  if (settings.method == CgMethod::pipelined_cg && !is_pointwise(settings.preconditioner)) return;

  const Solved solved = solve<TestType>(linalg::make_poisson(2, 23), settings);

  CHECK(solved.cg.verdict == solver::Verdict::converged);
  CHECK(solved.residual <= 2 * settings.cg.tolerance);
  const bool amg = solver::is_own_amg(settings.preconditioner);
  CHECK(solved.hierarchy.has_value() == amg);
  if (amg) {
    CHECK(solved.hierarchy->levels.size() >= 2);
    CHECK(solved.hierarchy->levels.front().unknowns == 23 * 23);
    CHECK(solved.hierarchy->grid_complexity > 1);
    CHECK(solved.hierarchy->operator_complexity > 1);
  }
  CHECK((solved.bytes + solved.traffic > 0) == !is_pointwise(settings.preconditioner));
  CHECK((solved.traffic > 0) == !(amg || is_pointwise(settings.preconditioner)));
  CHECK(solved.levels == (settings.preconditioner == PreconditionerKind::ilu0_level ? 2 * 22 + 1 : 0));
  CHECK((solved.phases.size() == 1) == (settings.preconditioner == PreconditionerKind::none));
  CHECK(solved.phases.back().empty());
}

TEST_CASE("Iterations of CG are known for Poisson problems", "[solver]") {
  SolveSettings settings;
  settings.method = GENERATE(from_range(members<CgMethod>()));
  CHECK(solve<double>(linalg::make_poisson(2, 100), settings).cg.iterations == 187);
  CHECK(solve<double>(linalg::make_poisson(3, 22), settings).cg.iterations == 54);
}

TEST_CASE("What a method cannot do is refused", "[solver]") {
  SolveSettings settings;
  settings.method = CgMethod::pipelined_cg;
  settings.preconditioner = PreconditionerKind::amg;
  const auto A = linalg::make_poisson(2, 5);
  CHECK_THROWS_AS(solve<double>(A, settings), InputError);
  for (const PreconditionerKind kind : members<PreconditionerKind>()) {
    if (kind == PreconditionerKind::boomer_amg) continue;  // hypre calls MPI, which has not begun here
    settings = {};
    settings.preconditioner = kind;
    if (!why_not(kind).empty() || kind == PreconditionerKind::automatic)
      CHECK_THROWS_AS(solve<double>(A, settings), InputError);
  }
}

TEST_CASE("Sweeps and terms of incomplete factors lower the iterations", "[solver]") {
  SolveSettings settings;
  settings.preconditioner = GENERATE(PreconditionerKind::ilu0_chow_patel, PreconditionerKind::ic0_chow_patel);
  const auto A = linalg::make_poisson(2, 40);
  const auto iterations = [&](int sweeps, int neumann) {
    settings.sweeps = sweeps;
    settings.neumann = neumann;
    return solve<double>(A, settings).cg.iterations;
  };
  CHECK(iterations(3, 4) < iterations(3, 1));
  CHECK(iterations(5, 8) < iterations(0, 8));
}

TEST_CASE("Pipelined CG has one launch less, and reads two words less, than fused CG", "[solver]") {
  SolveSettings settings;
  const solver::IterationCost fused = iteration_cost(settings);
  CHECK(fused.launches == 3);
  CHECK(fused.words == 9);
  CHECK(fused.reads == (runs_on_host ? 1 : 1. / 25));
  settings.method = CgMethod::pipelined_cg;
  CHECK(iteration_cost(settings).launches == 2);
  CHECK(iteration_cost(settings).words == 7);
  settings.preconditioner = PreconditionerKind::jacobi;
  CHECK(iteration_cost(settings).words == 9);
}
