// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/neumann_factors.hpp"

#include "miniapp/solver/chow_patel.hpp"
#include "support/incomplete.hpp"

using solver::NeumannFactors;

namespace {

/// P^T D^-1 P r, P = sum_{k=0}^{terms} (-N)^k.
std::vector<double> truncated(const HostFactors& factors, int terms, std::vector<double> r) {
  const std::size_t n = r.size();
  Rows upper(n);
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& [j, value] : factors.lower[i]) upper[j][Index(i)] = value;
  for (const Rows* const matrix : {&factors.lower, static_cast<const Rows*>(&upper)}) {
    std::vector<double> power = r;
    for (int k = 0; k < terms; ++k) {
      power = multiply(*matrix, power);
      for (std::size_t i = 0; i < n; ++i) r[i] += (k % 2 == 0 ? -1 : 1) * power[i];
    }
    if (matrix == &factors.lower)
      for (std::size_t i = 0; i < n; ++i) r[i] /= factors.diagonal[i];
  }
  return r;
}

HostFactors random_factors(Index size, int most) { return reference_factors(random_spd(size, most, 5)); }

}  // namespace

TEMPLATE_TEST_CASE("The series has as many terms as it is told", "[solver][neumann_factors]", double, float) {
  static_assert(solver::Preconditioner<NeumannFactors<TestType>, TestType>);
  const int terms = GENERATE(0, 1, 2, 3, 4, 7);
  const Index size = GENERATE(1, 33, 2100);
  const HostFactors factors = random_factors(size, 6);
  const std::vector<double> r = values(to_std(to_device<TestType>(random_numbers(std::size_t(size), 2)))).entries;
  const std::vector<double> expected = truncated(factors, terms, r);
  double r_z = 0;

  const NeumannFactors<TestType> m(to_device_factors(factors), terms);
  const std::vector<double> z = apply<TestType>(m, r, &r_z);

  CHECK_THAT(values(z), all_close<TestType>(values(expected), 40 * (terms + 1)));
  CHECK(r_z == close<TestType>(exact_dot(values(r), values(expected)), 40. * size));
}

TEST_CASE("Factors in single precision take vectors in double precision", "[solver][neumann_factors]") {
  const int terms = GENERATE(0, 1, 2, 3, 4);
  const Index size = GENERATE(1, 2100);
  const HostFactors factors = random_factors(size, 6);
  const std::vector<double> r = random_numbers(std::size_t(size), 2);
  double r_z = 0;

  const NeumannFactors<float> m(to_device_factors(factors), terms);
  const std::vector<double> z = apply<double>(m, r, &r_z);

  CHECK_THAT(values(z), all_close<float>(values(truncated(factors, terms, r)), 40 * (terms + 1)));
  CHECK(r_z == close<double>(exact_dot(values(r), values(z)), 40. * size));
}

TEST_CASE("The series ends: with as many terms as rows it substitutes", "[solver][neumann_factors]") {
  const Index size = GENERATE(1, 2, 60);
  const HostFactors factors = random_factors(size, 6);
  const std::vector<double> r = random_numbers(std::size_t(size), 2);

  const std::vector<double> z = apply<double>(NeumannFactors<double>(to_device_factors(factors), size), r);

  CHECK_THAT(values(z), all_close<double>(values(substitute(factors, r)), 40 * size));
}

TEST_CASE("Truncated factors are symmetric and positive definite after any sweeps", "[solver][neumann_factors]") {
  const auto kind = GENERATE(solver::Incomplete::ic0, solver::Incomplete::ilu0);
  const int sweeps = GENERATE(0, 1, 3), terms = GENERATE(0, 1, 2, 3);
  const auto matrix = to_csr(random_spd(400, 8, 9), 400);
  const NeumannFactors<double> m(solver::chow_patel(matrix, kind, sweeps), terms);
  for (unsigned seed = 1; seed < 4; ++seed) {
    const std::vector<double> r1 = random_numbers(400, 2 * seed), r2 = random_numbers(400, 2 * seed + 1);
    double energy = 0;
    const std::vector<double> z1 = apply<double>(m, r1, &energy), z2 = apply<double>(m, r2);

    CHECK(energy > 0);
    CHECK(exact_dot(values(r2), values(z1)) ==
          close<double>(exact_dot(values(r1), values(z2)), 400 * largest(values(z1)) * 40));
  }
}

TEST_CASE("CG with incomplete factors takes fewer iterations", "[solver][neumann_factors]") {
  const auto kind = GENERATE(solver::Incomplete::ic0, solver::Incomplete::ilu0);
  const auto [dim, n, none, one, two, exact] =
      GENERATE(std::tuple(2, 60, 187, 105, 80, 62), std::tuple(3, 15, 60, 34, 26, 22));
  const auto matrix = linalg::make_poisson(dim, n);
  const auto factors = solver::chow_patel(matrix, kind);
  const auto near = [](int found, int expected) { return std::abs(found - expected) <= 2; };

  CHECK(near(iterations(matrix, solver::Identity()), none));
  CHECK(near(iterations(matrix, NeumannFactors<double>(factors, 1)), one));
  CHECK(near(iterations(matrix, NeumannFactors<double>(factors, 2)), two));
  CHECK(near(iterations(matrix, NeumannFactors<double>(factors, 3 * n)), exact));
}

TEST_CASE("A negative number of terms is refused", "[solver][neumann_factors]") {
  CHECK_THROWS_AS(NeumannFactors<double>(to_device_factors(random_factors(3, 2)), -1), InputError);
}
