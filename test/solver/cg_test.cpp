// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/cg.hpp"

#include <limits>

#include "miniapp/graph/reorder.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "support/solve.hpp"
#include "tensor/ladder/ladder_rules.hpp"

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A symmetric tridiagonal matrix, applied on the host.
struct Tridiagonal {
  std::vector<double> diagonal;
  double beside = 0;

  space::Space space() const { return space::make_unknowns(static_cast<Index>(diagonal.size())); }
  double bytes() const { return 0; }
  std::vector<double> apply(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] = diagonal[i] * x[i];
      if (i > 0) y[i] += beside * x[i - 1];
      if (i + 1 < x.size()) y[i] += beside * x[i + 1];
    }
    return y;
  }
  template <class Real>
  void apply(const Instance&, const Vector<const Real>& x, const Vector<Real>& y) const {
    const std::vector<Real> x_host = to_std(x);
    Kokkos::deep_copy(y, to_device<Real>(apply(std::vector<double>(x_host.begin(), x_host.end()))));
  }
};

/// The matrix of second differences: positive definite.
Tridiagonal make_laplacian(std::size_t size) { return {std::vector<double>(size, 2), -1}; }

struct Run {
  Values x;
  solver::CgResult result;
};

template <class Real = double, class M = solver::Identity>
Run run(const Tridiagonal& A, const std::vector<double>& b, const solver::CgOptions& options, const M& m = {}) {
  const Vector<Real> x = to_device<Real>(std::vector<double>(b.size(), 99));  // the old contents of x must not matter
  solver::CgWorkspace<Real> work(b.size(), true);
  const solver::CgResult result = solver::cg<Real>(Instance(), A, m, to_device<Real>(b), x, work, options);
  return {values(x), result};
}

/// |b - A x| / |b|.
double true_residual(const Tridiagonal& A, const std::vector<double>& b, const Values& x) {
  return relative_distance(A.apply(x.entries), b);
}

/// z = r + skew S r with S r = (r_2, -r_1, r_4, -r_3, ..): positive, but not symmetric. Says so where it is `honest`.
struct Skewed : solver::StoresResult {
  double skew;
  bool honest;
  Skewed(double skew_, bool honest_) : skew(skew_), honest(honest_) {}
  bool is_symmetric() const { return !honest; }
  double apply(const Instance&, const space::Space&, const Vector<const double>& r, const Vector<double>& z,
               double r_r) const {
    const std::vector<double> from = to_std(r);
    std::vector<double> to = from;
    for (std::size_t i = 0; i + 1 < from.size(); i += 2) {
      to[i] += skew * from[i + 1];
      to[i + 1] -= skew * from[i];
    }
    Kokkos::deep_copy(z, to_device<double>(to));
    return r_r;
  }
};

}  // namespace

TEST_CASE("CG is flexible where the preconditioner is not symmetric", "[solver][cg]") {
  Tridiagonal A{{}, -0.4};
  for (int i = 0; i < 200; ++i) A.diagonal.push_back(1 + 0.02 * i);
  const std::vector<double> b = random_numbers(200, 1);

  const Run flexible = run(A, b, {1e-10, 400, {}}, Skewed(0.7, true)),
            plain = run(A, b, {1e-10, 400, {}}, Skewed(0.7, false));

  CHECK(flexible.result.converged());
  CHECK(true_residual(A, b, flexible.x) <= 2e-10);
  CHECK(flexible.result.iterations < 0.7 * plain.result.iterations);
}

TEST_CASE("CG solves a system in at most as many iterations as it has unknowns", "[solver][cg]") {
  const std::size_t size = GENERATE(1, 2, 7, 37);
  const Tridiagonal A = make_laplacian(size);
  const std::vector<double> b = random_numbers(size, 1);

  const Run cg = run(A, b, {tolerance<double>(double(size * size), 1), 1000, {}});

  CHECK(cg.result.verdict == solver::Verdict::converged);
  CHECK(cg.result.iterations <= int(size));
  CHECK(true_residual(A, b, cg.x) <= 2 * tolerance<double>(double(size * size), 1));
}

TEST_CASE("CG needs one iteration per distinct eigenvalue", "[solver][cg]") {
  Tridiagonal A{{}, 0};
  for (int i = 0; i < 40; ++i) A.diagonal.push_back(1 + i % 3);

  const Run cg = run(A, random_numbers(40, 1), {tolerance<double>(40, 1), 1000, {}});

  CHECK(cg.result.iterations == 3);
}

TEST_CASE("Jacobi with the exact diagonal solves a diagonal system in one iteration", "[solver][cg]") {
  Tridiagonal A{random_numbers(40, 2), 0};
  for (double& d : A.diagonal) d = 1.01 + d;
  const std::vector<double> b = random_numbers(40, 1);

  const Run cg = run(A, b, {tolerance<double>(40, 1), 1000, {}}, solver::Jacobi<double>(to_device<double>(A.diagonal)));

  CHECK(cg.result.iterations == 1);
  CHECK(true_residual(A, b, cg.x) <= tolerance<double>(40, 1));
}

TEST_CASE("CG in single precision reaches single precision", "[solver][cg]") {
  const Tridiagonal A = make_laplacian(20);
  const std::vector<double> b = random_numbers(20, 1);

  const Run cg = run<float>(A, b, {tolerance<float>(1, 1), 1000, {}});

  CHECK(cg.result.converged());
  CHECK(true_residual(A, b, cg.x) <= tolerance<float>(400, 1));
}

TEST_CASE("A zero right-hand side has the solution zero, found without an iteration", "[solver][cg]") {
  const Run cg = run(make_laplacian(5), std::vector<double>(5, 0), {});

  CHECK(cg.x.entries == std::vector<double>(5, 0));
  CHECK(cg.result.converged());
  CHECK(cg.result.iterations == 0);
  CHECK(cg.result.relative_residual == 0);
}

TEST_CASE("Residuals are recorded from the initial one to the last", "[solver][cg]") {
  const Run cg = run(make_laplacian(37), random_numbers(37, 1), {1e-8, 1000, {}});

  REQUIRE(int(cg.result.residuals.size()) == cg.result.iterations + 1);
  CHECK(cg.result.residuals.front() == 1);
  CHECK(cg.result.residuals.back() == cg.result.relative_residual);
  CHECK(cg.result.relative_residual <= 1e-8);
}

TEST_CASE("CG gives up after the largest number of iterations", "[solver][cg]") {
  const int most = GENERATE(1, 2, 5);

  const Run cg = run(make_laplacian(37), random_numbers(37, 1), {1e-12, most, {}});

  CHECK(cg.result.iterations == most);
  CHECK_FALSE(cg.result.converged());
  CHECK(cg.result.relative_residual > 1e-12);
}

TEST_CASE("Progress is reported after every iteration", "[solver][cg]") {
  std::vector<int> iterations;
  std::vector<double> residuals;

  const Run cg = run(make_laplacian(37), random_numbers(37, 1), {1e-12, 5, [&](int iteration, double residual) {
                                                                   iterations.push_back(iteration);
                                                                   residuals.push_back(residual);
                                                                 }});

  CHECK(iterations == std::vector<int>{1, 2, 3, 4, 5});
  CHECK(residuals == std::vector<double>(cg.result.residuals.begin() + 1, cg.result.residuals.end()));
}

TEST_CASE("CG breaks down on an operator that is not positive and names the iteration", "[solver][cg]") {
  const Tridiagonal negative{{-1, -2, -3}, 0}, indefinite{{1, 2, -0.1}, 0};
  const std::vector<double> b{1, 1, 1};

  CHECK_THROWS_AS(run(negative, b, {}), ResultError);
  CHECK_THROWS_WITH(run(negative, b, {}), contains("iteration 1:") && contains("not positive definite"));
  CHECK_THROWS_WITH(run(indefinite, b, {}), contains("iteration 3:"));
}

TEST_CASE("CG breaks down on a preconditioner that is not positive", "[solver][cg]") {
  const solver::Jacobi<double> negative(to_device<double>(std::vector<double>{-1, -1, -1}));

  CHECK_THROWS_WITH(run(make_laplacian(3), {1, 1, 1}, {}, negative), contains("iteration 1:") && contains("r . z"));
}

TEST_CASE("CG breaks down on NaN in its data", "[solver][cg]") {
  const Tridiagonal A = make_laplacian(3), broken{{2, not_a_number, 2}, -1};

  CHECK_THROWS_AS(run(A, {1, not_a_number, 1}, {}), ResultError);
  CHECK_THROWS_WITH(run(A, {1, not_a_number, 1}, {}), contains("iteration 1:") && contains("NaN"));
  CHECK_THROWS_WITH(run(broken, {1, 1, 1}, {}), contains("iteration 1:"));
}

TEST_CASE("CG breaks down on a right-hand side whose squares vanish, instead of calling it zero", "[solver][cg]") {
  const double scale = GENERATE(1e-155, 1e-200, 1e-300);

  CHECK_THROWS_WITH(run(make_laplacian(3), {scale, 0, -scale}, {}), contains("numbers of b are too small to square"));
}

TEST_CASE("CG breaks down on an infinite right-hand side", "[solver][cg]") {
  CHECK_THROWS_AS(run(make_laplacian(3), {1, std::numeric_limits<double>::infinity(), 1}, {}), ResultError);
}

namespace {

/// The unit cube with a flat surface and distorted elements.
mesh::Mesh make_cube(int nx = 4, int ny = 3, int nz = 5) {
  mesh::Mesh mesh = mesh::make_box(nx, ny, nz);
  mesh::deform(mesh, 0.05);
  mesh::perturb(mesh, 0.05, 1);
  return mesh;
}

Boundary natural(Problem problem) { return has_stiffness(problem) ? Boundary::dirichlet : Boundary::neumann; }

/// Values of a solution in the order of a sweep over the places of its nodes: independent of their numbers.
Values by_place(const Discretisation& d, const Values& x) {
  Values sorted;
  for (const std::size_t node : sweep(node_points(*d.mesh, d.space))) sorted.entries.push_back(x[node]);
  return sorted;
}

/// Products per entry of a solution: rounding accumulates over all iterations.
double terms(const Solution& solution) { return double(solution.x.size()) * solution.cg.iterations; }

/// Two descriptions of one problem have the same solution and iterations that differ by at most one.
void check_same(const Discretisation& a, const Discretisation& b) {
  const Solution x = solve(a, natural(a.problem)), y = solve(b, natural(b.problem));

  CHECK_THAT(by_place(b, y.x), all_close<double>(by_place(a, x.x), terms(x)));
  CHECK(std::abs(x.cg.iterations - y.cg.iterations) <= 1);
}

}  // namespace

TEST_CASE("Turning the local directions of elements leaves the solution unchanged", "[solver][cg][numbering]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 3, 7);
  const unsigned seed = GENERATE(1u, 2u);
  mesh::Mesh turned = make_cube();
  mesh::rotate_elements(turned, seed);

  CAPTURE(tensor::name(problem), order);
  check_same(Discretisation(make_cube(), problem, order, natural(problem), 1),
             Discretisation(turned, problem, order, natural(problem), 1));
}

TEST_CASE("Reordering elements leaves the solution unchanged", "[solver][cg][reorder]") {
  const Problem problem = any_problem();
  using graph::Reorder;
  const Reorder reorder = GENERATE(Reorder::rcm, Reorder::gps, Reorder::metis, Reorder::blocks, Reorder::bisection);
  if (!graph::why_not(reorder).empty()) {
    WARN("skipped " << name(reorder) << ": " << graph::why_not(reorder));
    return;
  }
  mesh::Mesh mesh = mesh::make_box(8, 7, 6);
  mesh::deform(mesh, 0.05);

  const std::vector<Index> order =
      graph::make_ordering(mesh.element_to_vertex, mesh.vertices.size(), reorder, 16, mesh.vertices).from.entries;
  check_same(Discretisation(mesh, problem, 2, natural(problem), 1),
             Discretisation(mesh::reorder(mesh, order), problem, 2, natural(problem), 1));
}

TEST_CASE("Every kernel leads to the same solution in the same iterations", "[solver][cg]") {
  const Problem problem = any_problem();
  const int order = GENERATE(2, 7);
  const Discretisation d(order < 7 ? make_cube() : make_cube(3, 2, 2), problem, order, natural(problem), 1);
  const Solution expected = solve(d, tensor::reference_variant, natural(problem));

  for (const Variant& variant : tensor::all_variants()) {
    if (!tensor::why_not(variant, d).empty()) continue;
    if (tensor::is_rung(variant.kernel) && variant.kernel != tensor::rung(8)) continue;  // one stands for all
    const Solution solution = solve(d, variant, natural(problem));
    CAPTURE(tensor::name(variant), tensor::name(problem), order);
    CHECK_THAT(solution.x, all_close<double>(expected.x, terms(expected)));
    CHECK(std::abs(solution.cg.iterations - expected.cg.iterations) <= 1);
  }
}

TEST_CASE("A problem of three components is solved as three of one", "[solver][cg][components]") {
  const Problem problem = any_problem();
  const int order = GENERATE(2, 7);
  const mesh::Mesh mesh = order < 7 ? make_cube() : make_cube(3, 2, 2);
  const Solution one = solve(Discretisation(mesh, problem, order, natural(problem), 1), natural(problem));

  const Solution three = solve(Discretisation(mesh, problem, order, natural(problem), 1, 3), natural(problem));

  const std::size_t nodes = one.x.entries.size();
  REQUIRE(three.x.entries.size() == 3 * nodes);
  for (std::size_t c = 0; c < 3; ++c) {
    Values part{{three.x.entries.begin() + c * nodes, three.x.entries.begin() + (c + 1) * nodes}};
    for (double& x : part.entries) x /= double(c + 1);  // like the exact solutions
    CHECK_THAT(part, all_close<double>(one.x, terms(one)));
  }
  CHECK(std::abs(three.cg.iterations - one.cg.iterations) <= 1);
  CHECK(three.l2_error < 1.01 * one.l2_error + 1e-12);
}

TEST_CASE("Masked nodes stay zero through a solution", "[solver][cg]") {
  const Problem problem = GENERATE(Problem::bp3_0, Problem::bp3_5);
  const Discretisation d(make_cube(), problem, 3, Boundary::dirichlet, 1);

  const Solution solution = solve(d, Boundary::dirichlet);

  for (const Index node : d.space.masked) CHECK(solution.x[node] == 0);
}
