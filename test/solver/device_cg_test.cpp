// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/pipelined_cg.hpp"

#include "miniapp/tensor/verification.hpp"
#include "support/solve.hpp"
#include "tensor/ladder/ladder_rules.hpp"

namespace {

/// diag(entries), applied on the host.
struct Diagonal {
  std::vector<double> entries;
  space::Space space() const { return space::make_unknowns(static_cast<Index>(entries.size())); }
  double bytes() const { return 0; }
  template <class Real>
  void apply(const Instance&, const Vector<const Real>& x, const Vector<Real>& y) const {
    std::vector<Real> product = to_std(x);
    for (std::size_t i = 0; i < product.size(); ++i) product[i] *= static_cast<Real>(entries[i]);
    Kokkos::deep_copy(y, to_device<Real>(product));
  }
};

/// A method, and how often the host checks.
struct How {
  bool pipelined;
  int check_every;
};
const std::vector<How> ways{{false, 1}, {false, 25}, {true, 1}, {true, 25}};
How any_way() { return GENERATE(from_range(ways)); }

struct Run {
  Values x;
  solver::CgResult result;
};

template <class Real, class A, class M>
Run run(const How& how, const A& op, const M& m, const Vector<const Real>& b, const solver::CgOptions& options) {
  const Vector<Real> x = make_vector<Real>("x", b.extent(0));
  Kokkos::deep_copy(x, Real(99));  // the old contents of x must not matter
  solver::DeviceCgWorkspace<Real> work(b.extent(0), how.check_every);
  const solver::CgResult result = how.pipelined ? solver::pipelined_cg<Real>(Instance(), op, m, b, x, work, options)
                                                : solver::fused_cg<Real>(Instance(), op, m, b, x, work, options);
  return {values(x), result};
}
template <class Real, class A, class M>
Run run_classic(const A& op, const M& m, const Vector<const Real>& b, const solver::CgOptions& options) {
  const Vector<Real> x = make_vector<Real>("x", b.extent(0));
  solver::CgWorkspace<Real> work(b.extent(0), true);
  const solver::CgResult result = solver::cg<Real>(Instance(), op, m, b, x, work, options);
  return {values(x), result};
}

/// diag(1, .., kinds) of 40 entries: CG needs `kinds` iterations.
Diagonal make_diagonal(int kinds) {
  Diagonal A;
  for (int i = 0; i < 40; ++i) A.entries.push_back(1 + i % kinds);
  return A;
}

Vector<const double> some_numbers(std::size_t size) { return to_device<double>(random_numbers(size, 1)); }

template <class M, class Real>
void check_like_classic(const How& how, const tensor::ElementOperator<Real>& op, const M& m,
                        const Vector<const Real>& b, const solver::CgOptions& options) {
  const Run fused = run<Real>(how, op, m, b, options), classic = run_classic<Real>(op, m, b, options);

  CHECK(fused.result.converged() == classic.result.converged());
  CHECK(std::abs(fused.result.iterations - classic.result.iterations) <= 1);  // sums have another order of rounding
  CHECK(fused.result.residuals.size() == fused.result.iterations + 1u);
  CHECK_THAT(fused.x, AllClose(classic.x, 100 * options.tolerance * largest(classic.x)));
}

}  // namespace

TEMPLATE_TEST_CASE("CG on the device takes the iterations of CG and finds its solution", "[solver][device_cg]", double,
                   float) {
  const How how = any_way();
  const Problem problem = any_problem();
  const int order = GENERATE(filter([](int p) { return p <= 3; }, from_range(tensor::built_orders())));
  const Discretisation d(make_turned_box(3, 2, 5), problem, order, Boundary::dirichlet, 1);
  const Vector<TestType> b = convert<TestType>(tensor::random_vector(d.space, 1));
  const double tolerance = sizeof(TestType) == 8 ? 1e-10 : 1e-4;

  for (const Variant& variant : tensor::all_variants()) {
    if (!tensor::why_not(variant, d, sizeof(TestType)).empty()) continue;
    CAPTURE(tensor::name(variant), tensor::name(problem), order);
    const auto op = tensor::make_operator<TestType>(variant, d);
    check_like_classic<solver::Identity, TestType>(how, *op, {}, b, {tolerance, 1000, {}});
    const solver::Jacobi<TestType> jacobi(tensor::Reference(d).diagonal());
    check_like_classic<solver::Jacobi<TestType>, TestType>(how, *op, jacobi, b, {tolerance, 1000, {}});
  }
}

TEST_CASE("dx may take its steps two at a time", "[solver][device_cg]") {
  const int most = GENERATE(range(1, 6)), check_every = GENERATE(2, 3, 25);
  const double spread = GENERATE(0.05, 1., 100.);
  Diagonal A;
  for (int i = 0; i < 40; ++i) A.entries.push_back(1 + spread * i / 39);
  const Vector<const double> b = some_numbers(40);
  const Vector<double> x = make_vector<double>("x", 40);
  solver::DeviceCgWorkspace<double> work(40, check_every);

  solver::detail::solve_on_device<solver::detail::FusedSteps<true>, double>(Instance(), A, solver::Identity(), b, x,
                                                                            work, {0, most, {}});

  CAPTURE(most, check_every, spread);
  CHECK_THAT(values(x), all_close<double>(run_classic<double>(A, solver::Identity(), b, {0, most, {}}).x, 400));
}

TEST_CASE("A workspace serves an operator whose lambda has changed", "[solver][device_cg]") {
  const How how = any_way();
  const auto box = [](double lambda) {
    return Discretisation(make_turned_box(3, 2, 2), Problem::bp3_0, tensor::built_orders().front(), Boundary::dirichlet,
                          lambda);
  };
  Discretisation d = box(1);
  const Discretisation other = box(50);
  const auto A = tensor::make_operator<double>(tensor::fastest(d), d),
             expected = tensor::make_operator<double>(tensor::fastest(other), other);
  const Vector<double> b = tensor::random_vector(d.space, 1), x = make_vector<double>("x", b.extent(0));
  solver::DeviceCgWorkspace<double> work(b.extent(0), how.check_every);
  const auto solve = [&] {
    return how.pipelined
               ? solver::pipelined_cg<double>(Instance(), *A, solver::Identity(), b, x, work, {1e-10, 1000, {}})
               : solver::fused_cg<double>(Instance(), *A, solver::Identity(), b, x, work, {1e-10, 1000, {}});
  };
  for (int repeat = 0; repeat < 3; ++repeat) solve();  // a GPU replays what the second solve has captured
  d.lambda = 50;
  A->update();
  const solver::CgResult result = solve();
  const Run fresh = run<double>(how, *expected, solver::Identity(), b, {1e-10, 1000, {}});

  CAPTURE(how.pipelined, how.check_every);
  CHECK(A->updates() == 1);
  CHECK(std::abs(result.iterations - fresh.result.iterations) <= 1);
  CHECK_THAT(values(x), AllClose(fresh.x, 1e-8 * largest(fresh.x)));
}

TEST_CASE("CG on the device stops at the first residual that is small enough, whenever the host checks",
          "[solver][device_cg]") {
  const How how = any_way();
  const int kinds = GENERATE(1, 2, 24, 25, 26);
  const Diagonal A = make_diagonal(kinds);

  const Run cg =
      run<double>(how, A, solver::Identity(), some_numbers(40), {tolerance<double>(40 * kinds, 1), 1000, {}});

  CHECK(cg.result.converged());
  CHECK(cg.result.iterations == kinds);
  CHECK(cg.result.relative_residual == cg.result.residuals.back());
}

TEMPLATE_TEST_CASE("CG on the device does not change a solution whose residual is exactly zero", "[solver][device_cg]",
                   double, float) {
  const How how = any_way();
  const Vector<TestType> b = convert<TestType>(some_numbers(40));
  const solver::Jacobi<TestType> jacobi(to_device<double>(std::vector<double>(40, 4)));
  Diagonal A;
  A.entries.assign(40, 4);

  const Run cg = run<TestType>(how, A, jacobi, b, {sizeof(TestType) == 8 ? 1e-10 : 1e-4, 1000, {}});

  CHECK(cg.result.iterations == 1);
  CHECK(cg.result.relative_residual == 0);
  CHECK(cg.result.verdict == solver::Verdict::converged);
  const Values expected = values(b);
  for (std::size_t i = 0; i < 40; ++i) CHECK(cg.x[i] == expected[i] / 4);
}

TEST_CASE("CG on the device does as many iterations as asked where there is no tolerance", "[solver][device_cg]") {
  const How how = any_way();
  const int most = GENERATE(1, 2, 3, 4, 25, 30);

  const Run cg = run<double>(how, make_diagonal(40), solver::Identity(), some_numbers(40), {0, most, {}});
  const Run classic = run_classic<double>(make_diagonal(40), solver::Identity(), some_numbers(40), {0, most, {}});

  CHECK(cg.result.iterations == most);
  CHECK(cg.result.replacements == 0);
  CHECK(std::isnan(cg.result.true_relative_residual));
  CHECK_THAT(cg.x, AllClose(classic.x, 1e-10 * largest(classic.x)));
}

TEMPLATE_TEST_CASE("dx is complete after any number of iterations, however fast residuals fall", "[solver][device_cg]",
                   double, float) {
  const How how = any_way();
  const int most = GENERATE(range(1, 6));
  const double spread = GENERATE(0.05, 1., 100.);  // of eigenvalues: beta is about 1e-3, 0.1 and 1
  Diagonal A;
  for (int i = 0; i < 40; ++i) A.entries.push_back(1 + spread * i / 39);
  const Vector<const TestType> b = convert<TestType>(some_numbers(40));
  std::vector<double> diagonal;
  for (int i = 0; i < 40; ++i) diagonal.push_back(1 + 0.1 * (i % 7) / 7);
  const solver::Jacobi<TestType> jacobi(to_device<double>(diagonal));

  const Run cg = run<TestType>(how, A, jacobi, b, {0, most, {}});
  const Run classic = run_classic<TestType>(A, jacobi, b, {0, most, {}});

  CAPTURE(most, spread, how.check_every, how.pipelined);
  CHECK_THAT(cg.x, all_close<TestType>(classic.x, 400));
}

TEST_CASE("CG on the device gives up after the largest number of iterations", "[solver][device_cg]") {
  const How how = any_way();
  const int most = GENERATE(1, 24, 25, 26, 38);
  int told = 0;

  const Run cg = run<double>(how, make_diagonal(40), solver::Identity(), some_numbers(40),
                             {1e-15, most, [&](int iteration, double) { CHECK(iteration == ++told); }});

  CHECK_FALSE(cg.result.converged());
  CHECK(cg.result.iterations == most);
  CHECK(told == most);
}

TEST_CASE("CG on the device needs no iteration for a zero right-hand side", "[solver][device_cg]") {
  const How how = any_way();
  const Run cg = run<double>(how, make_diagonal(3), solver::Identity(), Vector<double>("b", 40), {});

  CHECK(cg.x.entries == std::vector<double>(40, 0));
  CHECK(cg.result.converged());
  CHECK(cg.result.iterations == 0);
}

TEST_CASE("CG on the device breaks down where CG does", "[solver][device_cg]") {
  const How how = any_way();
  Diagonal A = make_diagonal(3);
  const double wrong = GENERATE(as<double>(), -1, std::numeric_limits<double>::quiet_NaN());
  for (double& entry : A.entries) entry *= wrong;
  const solver::Jacobi<double> negative(to_device<double>(std::vector<double>(40, -1)));

  CHECK_THROWS_WITH(run<double>(how, A, solver::Identity(), some_numbers(40), {}), contains("iteration 1:"));
  CHECK_THROWS_WITH(run<double>(how, make_diagonal(3), negative, some_numbers(40), {}),
                    contains("iteration 1:") && contains("r . z"));
}

TEST_CASE("CG ends where it is told to give up, unless it has met the tolerance", "[solver][device_cg]") {
  const Diagonal A = make_diagonal(9);
  const Vector<const double> b = some_numbers(40);
  solver::CgOptions options{1e-10, 100, {}};
  std::vector<int> asked;
  const int limit = GENERATE(4, 9);  // the ninth iteration meets the tolerance
  options.gives_up = [&](const std::vector<double>& residuals) {
    CHECK(residuals.back() > options.tolerance);
    asked.push_back(static_cast<int>(residuals.size()) - 1);
    return asked.back() == limit;
  };
  const How how = any_way();
  const bool classic = GENERATE(true, false);
  const solver::CgResult result = classic ? run_classic<double>(A, solver::Identity{}, b, options).result
                                          : run<double>(how, A, solver::Identity{}, b, options).result;

  CHECK(result.iterations == limit);
  CHECK(asked.size() == std::min<std::size_t>(limit, 8));
  CHECK(result.verdict == (limit == 9 ? solver::Verdict::converged : solver::Verdict::unconverged));
}
