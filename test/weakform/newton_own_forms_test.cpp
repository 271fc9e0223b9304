// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>

#include "miniapp/weakform/newton.hpp"
#include "support/all_close.hpp"
#include "support/catch.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

/// What the forms below share: -div grad u on a plane.
struct Laplacian {
  static constexpr int dim = 2, components = 1, points = 3;
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[2], const S (&)[1], const S (&grad)[1][2], Real, S (&f)[1][2]) const {
    for (int d = 0; d < 2; ++d) f[0][d] = grad[0][d];
  }
};

/// -div grad u = scale exp(u) on a square, u = 0 on its surface: no solution where scale > 6.81.
struct Bratu : Laplacian {
  static constexpr double flops = 2;
  static constexpr bool symmetric = false;  // it is, but may be indefinite, which GMRES takes
  double scale = 1;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&u)[1], const S (&)[1][2], Real, S (&f)[1]) const {
    using km::exp;
    f[0] = Real(-scale) * exp(u[0]);
  }
};

/// div grad u = 5 + 5 sqrt(1 + u), which is not a number where u < -1.
struct Root : Laplacian {
  static constexpr double flops = 2;
  static constexpr bool symmetric = true;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&u)[1], const S (&)[1][2], Real, S (&f)[1]) const {
    using km::sqrt;
    f[0] = S(Real(5)) + Real(5) * sqrt(S(Real(1)) + u[0]);
  }
};

/// -div grad u = 9 u^3 - 1, which is not symmetric positive definite at large u.
struct Cubic : Laplacian {
  static constexpr double flops = 4;
  static constexpr bool symmetric = true;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&u)[1], const S (&)[1][2], Real, S (&f)[1]) const {
    f[0] = Real(-9) * u[0] * u[0] * u[0] + S(Real(1));
  }
};

/// -div grad u + shift u = 1.
struct Shifted : Laplacian {
  static constexpr double flops = 2;
  static constexpr bool symmetric = true;
  double shift = 1;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&u)[1], const S (&)[1][2], Real, S (&f)[1]) const {
    f[0] = Real(shift) * u[0] - S(Real(1));
  }
};

/// -div(kappa grad u) = 1.
struct Diffusion {
  static constexpr int dim = 2, components = 1, points = 3;
  static constexpr double flops = 2;
  static constexpr bool symmetric = true;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&)[1], const S (&)[1][2], Real, S (&f)[1]) const {
    f[0] = S(Real(-1));
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[2], const S (&)[1], const S (&grad)[1][2], Real kappa, S (&f)[1][2]) const {
    for (int d = 0; d < 2; ++d) f[0][d] = kappa * grad[0][d];
  }
};

Bratu make_bratu(double scale) {
  Bratu form;
  form.scale = scale;
  return form;
}

struct Outcome {
  NewtonResult newton;
  std::vector<double> u;
};

/// Solves with u = `prescribed` on the surface, from `guess` everywhere.
template <class F>
Outcome solve(const F& form, double guess, double prescribed, const NewtonOptions& options) {
  const mesh::Mesh mesh = make_simplices(2, 8);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  const auto residual = make_residual<double>(form, mesh, space, std::vector<double>(space.num_nodes, 1.0));
  Newton<F> solver(residual, mesh, space);
  const Vector<double> u = make_zeros<double>("u", space.num_nodes), fixed = make_zeros<double>("g", space.num_nodes);
  Kokkos::deep_copy(u, guess);
  Kokkos::deep_copy(fixed, prescribed);
  const NewtonResult result = solver.solve(Instance(), fixed, u, options);
  const auto host = to_host(u);
  return {result, {host.data(), host.data() + host.extent(0)}};
}

}  // namespace

TEST_CASE("A form without a solution ends as diverged, with the history of its residuals", "[weakform][newton]") {
  const Outcome outcome =
      solve(make_bratu(10), 0, 0, {.max_iterations = 200, .preconditioner = LinearPreconditioner::none});

  CAPTURE(outcome.newton.residuals, outcome.newton.remark);
  CHECK(outcome.newton.verdict == NewtonVerdict::diverged);
  CHECK_FALSE(outcome.newton.converged());
  CHECK(outcome.newton.remark ==
        "step " + std::to_string(outcome.newton.steps.size() + 1) + ": no step length makes the residual smaller");
  REQUIRE(outcome.newton.residuals.size() >= 2);
  for (std::size_t k = 1; k < outcome.newton.residuals.size(); ++k)
    CHECK(outcome.newton.residuals[k] < outcome.newton.residuals[k - 1]);
  for (const double value : outcome.u) CHECK(std::isfinite(value));
}

TEST_CASE("Multigrid falls back to cycles in double precision where single makes a definite Jacobian indefinite",
          "[weakform][newton]") {
  const mesh::Mesh mesh = make_simplices(2, 40);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::neumann);
  Shifted form;
  form.shift = 1e-10;  // which ones have as their eigenvalue, 10^10 below the largest
  const auto residual = make_residual<double>(form, mesh, space, std::vector<double>(space.num_nodes, 1.0));
  Newton<Shifted> solver(residual, mesh, space);
  const Vector<double> u = make_zeros<double>("u", space.num_nodes), none = make_zeros<double>("g", space.num_nodes);
  for (Index i = 0; i < space.num_nodes; i += 3) Kokkos::deep_copy(Kokkos::subview(u, i), 1e9);
  const NewtonResult result = solver.solve(Instance(), none, u, {.preconditioner = LinearPreconditioner::amg});

  CAPTURE(result.residuals, result.remark);
  CHECK(result.converged());
  CHECK(result.single_breakdown.find("step 1: ") == 0);
}

TEST_CASE("Multigrid is kept from one solve to the next, while iterations stay few", "[weakform][newton]") {
  const Instance instance;
  const mesh::Mesh mesh = make_simplices(2, 24);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  const auto kappa = [&](double jump) {
    return at_nodes(mesh, space, [=](const mesh::Point& x) { return std::array{x[0] < 0.5 ? 1 : jump * (1 + x[1])}; });
  };
  auto residual = make_residual<double>(Diffusion(), mesh, space, kappa(1));
  Newton<Diffusion> solver(residual, mesh, space);
  const Vector<double> u = make_zeros<double>("u", space.num_nodes), none = make_zeros<double>("g", space.num_nodes);
  const auto set_ups_with = [&](double jump, const NewtonOptions& options) {
    residual.set_coefficients(instance, to_device("kappa", kappa(jump)));
    Kokkos::deep_copy(u, 0.0);
    const NewtonResult result = solver.solve(instance, none, u, options);
    CHECK(result.converged());
    return result.set_ups();
  };
  CHECK(set_ups_with(1, {}) == 1);
  CHECK(set_ups_with(1.5, {}) == 0);
  const auto other = make_residual<double>(Diffusion(), mesh, space, kappa(1.5));
  const Vector<double> expected = make_zeros<double>("u", space.num_nodes);
  CHECK(Newton<Diffusion>(other, mesh, space).solve(instance, none, expected).set_ups() == 1);
  CHECK_THAT(values(to_vector(u)), AllClose(values(to_vector(expected)), 1e-9));

  CHECK(set_ups_with(1e5, {}) == 0);  // takes many iterations, so that the next one has its own
  CHECK(set_ups_with(1e5, {}) == 1);
  CHECK(set_ups_with(1e5, {}) == 0);
  CHECK(set_ups_with(1e5, {.preconditioner = LinearPreconditioner::jacobi}) == 0);
  CHECK(set_ups_with(1e5, {}) == 1);
  CHECK(set_ups_with(1e5, {.linear_tolerance = 1e-11}) == 1);
}

TEST_CASE("The same form with a solution converges", "[weakform][newton]") {
  const Outcome outcome = solve(make_bratu(2), 0, 0, {});

  CHECK(outcome.newton.verdict == NewtonVerdict::converged);
  CHECK(*std::max_element(outcome.u.begin(), outcome.u.end()) > 0.1);
}

TEST_CASE("Own forms are solved in single precision too, as exactly as it allows", "[weakform][newton]") {
  const mesh::Mesh mesh = make_simplices(2, 8);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  const auto residual = make_residual<float>(make_bratu(2), mesh, space, std::vector<double>(space.num_nodes, 1.0));
  Newton solver(residual, mesh, space);
  const Vector<float> u = make_zeros<float>("u", space.num_nodes), fixed = make_zeros<float>("g", space.num_nodes);

  const NewtonResult result = solver.solve(Instance(), fixed, u);

  CAPTURE(result.residuals, result.remark, result.floor);
  CHECK(result.verdict == NewtonVerdict::converged);
  const Outcome in_double = solve(make_bratu(2), 0, 0, {});
  const auto host = to_host(u);
  double most = 0;
  for (std::size_t i = 0; i < host.extent(0); ++i) most = std::max(most, std::fabs(host(i) - in_double.u[i]));
  CHECK(most < 1e-4);
  CHECK(most > 1e-12);  // it is another precision
}

TEST_CASE("A first guess whose residual is not finite ends as diverged at once", "[weakform][newton]") {
  const Outcome outcome = solve(Root(), -3, 0, {});

  CHECK(outcome.newton.verdict == NewtonVerdict::diverged);
  CHECK(outcome.newton.remark == "the residual of the first guess is not finite");
  CHECK(outcome.newton.residuals.size() == 1);
  CHECK(outcome.newton.steps.empty());
}

TEST_CASE("Steps are halved where the form is not a number beyond them, and prescribed values follow in parts",
          "[weakform][newton]") {
  const Outcome outcome = solve(Root(), 30, 0, {});
  const space::Space space = space::make_space(make_simplices(2, 8), 1, 1, space::Boundary::dirichlet);

  CAPTURE(outcome.newton.residuals, outcome.newton.remark);
  CHECK(outcome.newton.verdict == NewtonVerdict::converged);
  REQUIRE_FALSE(outcome.newton.steps.empty());
  CHECK(outcome.newton.steps[0].length < 1);
  CHECK(outcome.newton.steps.back().length == 1);
  for (const Index node : space.masked) CHECK(std::fabs(outcome.u[node]) < 1e-12);
}

TEST_CASE("A Jacobian that is not positive definite breaks down, with the step and the reason", "[weakform][newton]") {
  const LinearPreconditioner preconditioner =
      GENERATE(LinearPreconditioner::none, LinearPreconditioner::jacobi, LinearPreconditioner::amg);
  const Outcome outcome = solve(Cubic(), 40, 40, {.preconditioner = preconditioner});

  CAPTURE(outcome.newton.residuals, outcome.newton.remark);
  CHECK(outcome.newton.verdict == NewtonVerdict::broke_down);
  CHECK_THAT(outcome.newton.remark, contains("step 1: "));
  CHECK(outcome.newton.residuals.size() == 1);
}

TEST_CASE("Prescribed values are those of the solution, and no step is needed from a solution", "[weakform][newton]") {
  const Outcome outcome = solve(Cubic(), 0, 0.25, {});
  const mesh::Mesh mesh = make_simplices(2, 8);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);

  CHECK(outcome.newton.verdict == NewtonVerdict::converged);
  REQUIRE_FALSE(space.masked.empty());
  for (const Index node : space.masked) CHECK(outcome.u[node] == Approx(0.25).epsilon(1e-15));
  const auto residual = make_residual<double>(Cubic(), mesh, space, std::vector<double>(space.num_nodes, 1.0));
  const Vector<double> u = to_device("u", outcome.u), r = make_zeros<double>("r", space.num_nodes);
  residual.apply(Instance(), u, r);
  for (std::size_t i = 0; i < r.extent(0); ++i) CHECK(std::fabs(to_host(r)(i)) < 1e-8);
}

TEST_CASE("Options that are not positive and vectors of other sizes are refused", "[weakform][newton]") {
  CHECK_THROWS_WITH(solve(Cubic(), 0, 0, {.tolerance = 0}), contains("tolerance 0.000000: accepted are numbers"));
  CHECK_THROWS_WITH(solve(Cubic(), 0, 0, {.linear_tolerance = -1}), contains("linear_tolerance -1"));
  CHECK_THROWS_WITH(solve(Cubic(), 0, 0, {.shortest_step = 2}), contains("shortest_step 2"));
  CHECK_THROWS_WITH(solve(Cubic(), 0, 0, {.max_iterations = 0}), contains("max_iterations 0: accepted are 1 and more"));
  CHECK_THROWS_WITH(solve(Cubic(), 0, 0, {.max_linear_iterations = 0}), contains("max_linear_iterations 0"));
  const mesh::Mesh mesh = make_simplices(2, 3);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  const auto residual = make_residual<double>(Cubic(), mesh, space, std::vector<double>(space.num_nodes, 1.0));
  CHECK_THROWS_WITH(Newton<Cubic>(residual, mesh, space)
                        .solve(Instance(), make_zeros<double>("g", 2), make_zeros<double>("u", space.num_nodes)),
                    contains("a vector of 2 entries: accepted are"));
}
