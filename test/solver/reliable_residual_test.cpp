// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/reliable_residual.hpp"

#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/pipelined_cg.hpp"
#include "support/vectors.hpp"

using solver::ReliableResidual;
using solver::Verdict;

namespace {

/// Second differences with `shift` on the diagonal, applied on the host in the vectors' precision. `wobble` changes the
/// matrix from call to call: an operator that is none. `ends` is added at both ends: with -1 and no shift, constants
/// are mapped to zero.
struct Laplacian {
  Index size;
  double shift = 0, wobble = 0, ends = 0;
  mutable int calls = 0;
  space::Space space() const { return space::make_unknowns(size); }
  double bytes() const { return 0; }
  template <class Real>
  void apply(const Instance&, const Vector<const Real>& x, const Vector<Real>& y) const {
    const std::vector<Real> u = to_std(x);
    std::vector<Real> v(u.size());
    const auto scale = static_cast<Real>(1 + wobble * std::sin(1.7 * ++calls));
    for (std::size_t i = 0; i < u.size(); ++i) {
      v[i] = static_cast<Real>(2 + shift + (i == 0 || i + 1 == u.size() ? ends : 0)) * u[i];
      if (i > 0) v[i] -= u[i - 1];
      if (i + 1 < u.size()) v[i] -= u[i + 1];
      v[i] *= scale;
    }
    Kokkos::deep_copy(y, to_device<Real>(v));
  }
};

enum class Method { classic, fused, pipelined };
Method any_method() { return GENERATE(Method::classic, Method::fused, Method::pipelined); }

struct Solved {
  solver::CgResult cg;
  double residual;  ///< |b - A x| / |b|, computed once more, in double precision
};

template <class Real, class Operator>
solver::CgResult run(const Operator& A, Method method, const Vector<const Real>& b, const Vector<Real>& x,
                     const solver::CgOptions& options,
                     int check_every = solver::DeviceCgWorkspace<Real>::usual_check_every) {
  solver::CgWorkspace<Real> work(b.extent(0), false);
  solver::DeviceCgWorkspace<Real> device_work(b.extent(0), check_every);
  const solver::Identity identity;
  if (method == Method::fused) return solver::fused_cg<Real>(Instance(), A, identity, b, x, device_work, options);
  if (method == Method::pipelined)
    return solver::pipelined_cg<Real>(Instance(), A, identity, b, x, device_work, options);
  return solver::cg<Real>(Instance(), A, identity, b, x, work, options);
}

template <class Real>
Solved solve(const Laplacian& A, Method method, const solver::CgOptions& options) {
  const auto size = static_cast<std::size_t>(A.size);
  const std::vector<double> numbers = random_numbers(size, 1);
  const Vector<Real> b = to_device<Real>(numbers), x = make_vector<Real>("x", size);
  Solved solved;
  solved.cg = run<Real>(A, method, b, x, options);
  const Vector<double> Ax = make_vector<double>("Ax", size);
  Laplacian{A.size, A.shift, 0, A.ends}.apply<double>(Instance(), convert<double>(x), Ax);
  const std::vector<double> product = to_std(Vector<const double>(Ax));
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double b_i = static_cast<double>(static_cast<Real>(numbers[i]));
    difference += std::pow(b_i - product[i], 2);
    norm += b_i * b_i;
  }
  solved.residual = std::sqrt(difference / norm);
  return solved;
}

/// y = (0, .., 0, x_n): semidefinite.
struct Last {
  space::Space space() const { return space::make_unknowns(40); }
  double bytes() const { return 0; }
  template <class Real>
  void apply(const Instance&, const Vector<const Real>& x, const Vector<Real>& y) const {
    std::vector<Real> product(x.extent(0), 0);
    product.back() = to_std(x).back();
    Kokkos::deep_copy(y, to_device<Real>(product));
  }
};

const auto no_floor = [] { return 0.; };

}  // namespace

TEST_CASE("A solve ends at the floor, near which the residual is not replaced", "[solver][cg]") {
  int asked = 0;
  const auto floor = [&asked] {
    ++asked;
    return 1e-9;
  };
  auto reliable = ReliableResidual::of<double>(1e-12);
  reliable.see(1e-3, false);
  CHECK(reliable.due());
  CHECK_FALSE(reliable.replace(3.1e-5, floor));
  CHECK(asked == 1);
  reliable.see(2.9e-8, false);  // fallen by 1000, but 29 floors
  CHECK_FALSE(reliable.due());
  reliable.see(1.1e-9, false);
  CHECK_FALSE(reliable.due());
  reliable.see(0.9e-9, false);
  CHECK(reliable.due());
  auto above = reliable;
  CHECK_FALSE(above.replace(4.1e-9, floor));
  CHECK(reliable.replace(3.9e-9, floor));
  CHECK(asked == 3);
}

TEST_CASE("A direction is kept while p . r is about r . z", "[solver][cg]") {
  CHECK(ReliableResidual::keeps_direction(1.9, 1));
  CHECK(ReliableResidual::keeps_direction(0.6, 1));
  CHECK_FALSE(ReliableResidual::keeps_direction(2.1, 1));
  CHECK_FALSE(ReliableResidual::keeps_direction(0.4, 1));  // with r . z steps would be more than twice too long
  CHECK_FALSE(ReliableResidual::keeps_direction(-1, 1));
  CHECK_FALSE(ReliableResidual::keeps_direction(std::nan(""), 1));
}

TEST_CASE("The residual is replaced when it has fallen a thousandfold, in single precision tenfold", "[solver][cg]") {
  auto reliable = ReliableResidual::of<double>(1e-12), single = ReliableResidual::of<float>(1e-5);
  CHECK_FALSE(reliable.due());
  for (const double residual : {50.0, 0.06}) reliable.see(residual, false);
  CHECK_FALSE(reliable.due());
  reliable.see(0.04, false);
  CHECK(reliable.due());
  CHECK_FALSE(reliable.replace(0.05, no_floor));
  reliable.see(1e-4, false);
  CHECK_FALSE(reliable.due());
  reliable.see(5e-5, false);
  CHECK(reliable.due());
  CHECK(reliable.replacements() == 1);
  single.see(0.11, false);
  CHECK_FALSE(single.due());
  single.see(0.09, false);
  CHECK(single.due());
}

TEST_CASE("A solve ends at the tolerance, or where replacing the residual no longer helps", "[solver][cg]") {
  auto converges = ReliableResidual::of<double>(1e-8), drifts = converges, stays = converges;
  converges.see(1e-8, true);
  CHECK(converges.replace(1.9e-8, no_floor));
  CHECK(converges.verdict(1.9e-8, 1e-16, true) == Verdict::converged);
  CHECK(converges.verdict(2.1e-8, 1e-16, true) == Verdict::unconverged);
  CHECK(converges.verdict(2.1e-8, 3e-9, true) == Verdict::stagnated);
  CHECK(converges.verdict(1e-9, 3e-9, false) == Verdict::unconverged);
  CHECK(converges.verdict(std::nan(""), 3e-9, true) == Verdict::unconverged);
  CHECK(converges.verdict(0.9e-3, 1e-2, true) == Verdict::stagnated);
  CHECK(converges.verdict(1.1e-3, 1e-2, true) == Verdict::unconverged);  // x has grown, and the floor with it

  drifts.see(1e-8, true);
  CHECK_FALSE(drifts.replace(1e-7, no_floor));  // still far from 1: continues
  drifts.see(1e-8, true);
  CHECK(drifts.replace(0.9e-7, no_floor));

  stays.see(1e-4, false);
  CHECK_FALSE(stays.replace(1e-3, no_floor));
  stays.see(1e-6, false);
  CHECK(stays.replace(0.9e-3, no_floor));
}

TEST_CASE("A verdict of converged holds for b - A x", "[solver][cg]") {
  const Method method = any_method();
  const Solved solved = solve<double>({300, 0.01}, method, {1e-12, 10000, {}});

  CHECK(solved.cg.verdict == Verdict::converged);
  CHECK(solved.residual <= 2e-12);
  CHECK(solved.cg.true_relative_residual == Approx(solved.residual).epsilon(0.1));
  CHECK(solved.cg.replacements >= 3);
  CHECK(solved.cg.iterations <= 1.02 * 300);
}

TEST_CASE("A tolerance below the floor of rounding ends in stagnation soon", "[solver][cg]") {
  const Method method = any_method();
  const Solved solved = solve<float>({1000, 1e-4}, method, {2e-7, 10000, {}});

  CHECK(solved.cg.verdict == Verdict::stagnated);
  CHECK(solved.cg.converged());
  CHECK(solved.residual > 4e-7);
  CHECK(solved.residual < 4 * solved.cg.true_relative_residual);  // computed in single precision
  CHECK(solved.cg.floor < 4 * solved.residual);
  CHECK(solved.cg.floor > solved.residual / 10);
  CHECK(solved.cg.iterations < 2000);
}

TEST_CASE("An operator that changes between calls does not pass for converged", "[solver][cg]") {
  const Method method = any_method();
  const Solved solved = solve<double>({100, 1, 1e-5}, method, {1e-10, 1000, {}});

  CHECK(solved.cg.verdict == Verdict::unconverged);
  CHECK_FALSE(solved.cg.converged());
  CHECK(solved.cg.true_relative_residual > 1e-8);
}

TEST_CASE("CG has diverged where its residual grows beyond any of a positive definite matrix", "[solver][cg]") {
  auto reliable = ReliableResidual::of<double>(1e-8), single = ReliableResidual::of<float>(1e-4),
       unchecked = ReliableResidual::of<double>(0);
  for (auto* all : {&reliable, &single, &unchecked}) all->see(4e3, false);  // 1 / sqrt(u) is 4096 in single precision
  CHECK_FALSE(reliable.has_diverged());
  CHECK_FALSE(single.has_diverged());
  CHECK(reliable.verdict(4e3, 1e3, true) == Verdict::unconverged);
  CHECK(reliable.verdict(1e8, 1e8, true) == Verdict::diverged);
  for (auto* all : {&reliable, &single, &unchecked}) all->see(5e3, false);
  CHECK_FALSE(reliable.has_diverged());
  CHECK(single.has_diverged());
  for (auto* all : {&reliable, &unchecked}) all->see(1e8, false);
  CHECK(reliable.has_diverged());
  CHECK_FALSE(unchecked.has_diverged());
}

TEST_CASE("A singular system whose right-hand side has no solution does not pass for solved", "[solver][cg]") {
  const Method method = any_method();
  const Index size = GENERATE(64, 1000);
  CAPTURE(size);
  solver::CgResult cg;
  try {
    cg = solve<double>({size, 0, 0, -1}, method, {1e-10, 10000, {}}).cg;
  } catch (const ResultError&) {  // p . A p vanished
    return;
  }

  CHECK_FALSE(cg.converged());
  CHECK(cg.true_relative_residual > solver::largest_stagnation);
  CHECK(cg.iterations < 10000);
}

TEMPLATE_TEST_CASE("CG that diverges is stopped", "[solver][cg]", double, float) {
  const Method method = any_method();
  std::vector<double> numbers(40, 1);
  numbers.back() = sizeof(TestType) == 8 ? 1e-10 : 1e-5;  // the first step is 40 over its square, the residual over it
  const Vector<TestType> b = to_device<TestType>(numbers), x = make_vector<TestType>("x", 40);

  const solver::CgResult cg = run<TestType>(Last(), method, b, x, {1e-10, 1000, {}}, 1);

  CHECK(cg.verdict == Verdict::diverged);
  CHECK_FALSE(cg.converged());
  CHECK(cg.iterations == 1);
  CHECK(cg.true_relative_residual > solver::largest_growth<TestType>);
}
