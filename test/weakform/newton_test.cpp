// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/newton.hpp"

#include "miniapp/weakform/case.hpp"
#include "support/catch.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

struct DistanceFromOne {
  double noise;
  const double* u;
  double* r;
  KOKKOS_FUNCTION void operator()(const Index i) const { r[i] = u[i] - 1 + noise; }
};

namespace {

/// A form of the library on a distorted and shuffled mesh.
NewtonResult solve(FormKind kind, int dim, int n, const NewtonOptions& options) {
  const mesh::Mesh mesh = make_simplices(dim, n);
  const space::Space space =
      space::make_space(mesh, 1, facts(kind, dim).components, space::Boundary::dirichlet, Layout::aos);
  return bind(kind, Precision::fp64, mesh, space, {})->solve(Instance(), options);
}

struct NoisyResult {
  NewtonResult result;
  int calls = 0;  ///< how often the residual was computed
};

/// Solves u - 1 + noise = 0 from u = 0; each residual has `growth` times the noise of the one before.
NoisyResult solve_with_noise(double noise, double growth, NewtonOptions options) {
  const mesh::Mesh mesh = make_simplices(2, 4);
  weakform::detail::NewtonProblem<double> problem;
  problem.unknowns = space::make_space(mesh, 1, 1, space::Boundary::neumann);
  problem.symmetric = true;
  const Index n = problem.unknowns.num_nodes;
  Csr<> rows;
  for (Index i = 0; i < n; ++i) {
    rows.entries.push_back(i);
    rows.end_row();
  }
  const auto identity = linalg::make_csr_matrix(rows, n, std::vector<double>(static_cast<std::size_t>(n), 1));
  NoisyResult noisy;
  problem.residual = [&](const Instance&, const Vector<const double>& u, const Vector<double>& r) {
    ++noisy.calls;
    noise *= growth;
    Kokkos::parallel_for("test/residual", Kokkos::RangePolicy<ExecutionSpace>(0, n),
                         DistanceFromOne{noise, u.data(), r.data()});
    ExecutionSpace().fence();
  };
  problem.action = [](const Instance&, const Vector<const double>&, const Vector<const double>& w,
                      const Vector<double>& y) { Kokkos::deep_copy(y, w); };
  problem.assemble = [&](const Instance&, const Vector<const double>&) -> const linalg::CsrMatrix<double>& {
    return identity;
  };
  options.preconditioner = LinearPreconditioner::jacobi;
  const Vector<double> u = make_zeros<double>("u", problem.unknowns.num_entries());
  noisy.result = weakform::detail::run_newton<double>(Instance(), problem, u, u, options);
  return noisy;
}

}  // namespace

TEST_CASE("Linear forms take one step, whatever values are prescribed", "[weakform][newton]") {
  const FormKind kind = GENERATE(FormKind::poisson, FormKind::variable_poisson, FormKind::helmholtz);
  const int dim = GENERATE(2, 3);
  const NewtonResult result = solve(kind, dim, 6, {});

  CAPTURE(name(kind), dim, result.residuals, result.remark);
  CHECK(result.verdict == NewtonVerdict::converged);
  REQUIRE(result.steps.size() == 1);
  CHECK(result.steps[0].length == 1);
  CHECK(result.residuals.size() == 2);
  CHECK(result.residuals[1] <= 1e-9 * result.residuals[0]);
}

TEST_CASE("The last steps of Newton's method are quadratic", "[weakform][newton]") {
  const FormKind kind = GENERATE(FormKind::nonlinear_poisson, FormKind::neo_hookean);
  const int dim = GENERATE(2, 3);
  const NewtonResult result = solve(kind, dim, dim == 2 ? 10 : 6, {.tolerance = 1e-11, .linear_tolerance = 1e-12});

  CAPTURE(name(kind), dim, result.residuals, result.remark);
  CHECK(result.verdict == NewtonVerdict::converged);
  REQUIRE(result.residuals.size() >= 4);
  CHECK(result.residuals.size() <= 9);
  const std::size_t last = result.residuals.size() - 1;
  for (std::size_t k = last - 1; k <= last; ++k) {  // |r| relative to the first one; linear solves end at 1e-12
    const double before = result.residuals[k - 1] / result.residuals[0],
                 after = result.residuals[k] / result.residuals[0];
    CHECK(after <= 10 * before * before + 1e-12 * before + 1e-14);
    CHECK(result.steps[k - 1].length == 1);
  }
}

TEST_CASE("All preconditioners lead to the same solution, multigrid in the fewest iterations", "[weakform][newton]") {
  const FormKind kind = GENERATE(FormKind::variable_poisson, FormKind::nonlinear_poisson, FormKind::neo_hookean);
  const NewtonResult none = solve(kind, 2, 24, {.preconditioner = LinearPreconditioner::none}),
                     jacobi = solve(kind, 2, 24, {.preconditioner = LinearPreconditioner::jacobi}),
                     amg = solve(kind, 2, 24, {.preconditioner = LinearPreconditioner::amg});

  CAPTURE(name(kind), none.residuals, jacobi.residuals, amg.residuals, none.linear_iterations(),
          jacobi.linear_iterations(), amg.linear_iterations());
  for (const NewtonResult* const result : {&none, &jacobi, &amg}) {
    CHECK(result->verdict == NewtonVerdict::converged);
    CHECK(result->steps.size() == amg.steps.size());
    CHECK(result->remark.empty());
  }
  CHECK(amg.linear_iterations() > 0);
  CHECK(2 * amg.linear_iterations() < jacobi.linear_iterations());
  CHECK(2 * amg.linear_iterations() < none.linear_iterations());
}

TEST_CASE("Iterations end unconverged at their limits, and say which linear solve was not exact",
          "[weakform][newton]") {
  const NewtonResult outer = solve(FormKind::nonlinear_poisson, 2, 6, {.max_iterations = 2}),
                     inner = solve(FormKind::neo_hookean, 2, 6,
                                   {.max_iterations = 1,
                                    .max_linear_iterations = 3,
                                    .preconditioner = LinearPreconditioner::none});

  CHECK(outer.verdict == NewtonVerdict::unconverged);
  CHECK(outer.steps.size() == 2);
  CHECK(outer.remark.empty());
  CHECK(inner.verdict == NewtonVerdict::unconverged);
  CHECK(inner.remark == "step 1: the linear solve ended unconverged");
  CHECK(inner.linear_iterations() == 3);
}

TEST_CASE("A tolerance below rounding ends as stagnated at the floor", "[weakform][newton]") {
  const NewtonResult result = solve(FormKind::nonlinear_poisson, 2, 8, {.tolerance = 1e-19, .linear_tolerance = 1e-13});

  CAPTURE(result.residuals, result.remark, result.floor);
  CHECK(result.verdict == NewtonVerdict::stagnated);
  CHECK(result.converged());
  CHECK(result.floor > 0);
  CHECK(result.residuals.back() <= 10 * result.floor);
}

TEST_CASE("Iterations end where rounding leaves residuals that hardly fall", "[weakform][newton]") {
  const auto [result, calls] = solve_with_noise(1e-17, 0.9, {.tolerance = 1e-30, .max_iterations = 20});

  CAPTURE(result.residuals, result.remark, result.floor);
  CHECK(result.verdict == NewtonVerdict::stagnated);
  CHECK(result.steps.size() == 2);
}

TEST_CASE("No step is shorter than allowed", "[weakform][newton]") {
  const auto [result, calls] = solve_with_noise(1, 1000, {.shortest_step = 0.25});

  CHECK(result.verdict == NewtonVerdict::diverged);
  CHECK(calls == 4);  // the first guess, and steps of 1, 1/2 and 1/4
}

TEST_CASE("Every step is reported as it is recorded", "[weakform][newton]") {
  std::vector<double> seen;
  std::vector<int> steps;
  NewtonOptions options;
  options.progress = [&](int step, double residual) {
    steps.push_back(step);
    seen.push_back(residual);
  };
  const NewtonResult result = solve(FormKind::nonlinear_poisson, 2, 5, options);

  CHECK(seen == result.residuals);
  CHECK(steps.front() == 0);
  CHECK(steps.back() == static_cast<int>(result.steps.size()));
}

TEST_CASE("Multigrid is set up once and kept while iterations stay few", "[weakform][newton]") {
  const FormKind kind = GENERATE(FormKind::nonlinear_poisson, FormKind::neo_hookean);
  const NewtonResult result = solve(kind, 2, 24, {});

  CAPTURE(name(kind), result.residuals, result.remark);
  CHECK(result.verdict == NewtonVerdict::converged);
  REQUIRE(result.steps.size() >= 3);
  CHECK(result.steps[0].sets_up);
  CHECK(result.set_ups() >= 1);
  CHECK(result.set_ups() < static_cast<int>(result.steps.size()));
  int first = 0;  // iterations of the step that multigrid was set up for
  for (std::size_t k = 0; k < result.steps.size(); ++k) {
    const int before = k > 0 ? result.steps[k - 1].linear_iterations : 0;
    if (k > 0) CHECK(result.steps[k].sets_up == (before > 1.5 * first + 2));
    if (result.steps[k].sets_up) first = result.steps[k].linear_iterations;
  }
}

TEST_CASE("Only multigrid is set up", "[weakform][newton]") {
  const NewtonResult result =
      solve(FormKind::nonlinear_poisson, 2, 8, {.preconditioner = LinearPreconditioner::jacobi});

  CHECK(result.steps.size() >= 3);
  CHECK(result.set_ups() == 0);
}
