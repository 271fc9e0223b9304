// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/level_ilu.hpp"

#include "miniapp/solver/chow_patel.hpp"
#include "support/incomplete.hpp"

using solver::level_ilu;
using solver::LevelFactors;

namespace {

bool is_built() {
  if (!solver::has_kokkos_kernels()) WARN("skipped: this build has no Kokkos Kernels");
  return solver::has_kokkos_kernels();
}

}  // namespace

TEST_CASE("A build without Kokkos Kernels says so", "[solver][level_ilu]") {
  if (solver::has_kokkos_kernels()) return;
  const auto matrix = linalg::make_poisson(2, 3);
  CHECK_THROWS_AS(level_ilu(matrix), InputError);
  CHECK_THROWS_WITH(level_ilu(matrix), contains("built without Kokkos Kernels"));
  const auto factors = solver::chow_patel(matrix, solver::Incomplete::ic0);
  CHECK_THROWS_WITH(LevelFactors<double>(factors), contains("built without Kokkos Kernels"));
}

TEST_CASE("ILU(0) by levels gives the factors of elimination", "[solver][level_ilu]") {
  if (!is_built()) return;
  const Index size = GENERATE(1, 2, 40, 901);
  const int most = GENERATE(0, 2, 9);
  const Rows rows = random_spd(size, most, 3);
  const HostFactors expected = reference_factors(rows);

  const HostFactors factors = to_host_factors(level_ilu(to_csr(rows, size)));

  CHECK_THAT(values(factors.diagonal), all_close<double>(values(expected.diagonal), 10 * most + 10));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(factors.lower[i].size() == expected.lower[i].size());
    for (const auto& [j, value] : expected.lower[i])
      CHECK(std::abs(factors.lower[i].at(j) - value) <= tolerance<double>(10 * most + 10, 1));
  }
}

TEST_CASE("ILU(0) by levels breaks down in its row", "[solver][level_ilu]") {
  if (!is_built()) return;
  const double beside = GENERATE(4, 8);  // a pivot of zero, of -12
  Rows rows = random_spd(30, 0, 1);
  for (const Index i : {8, 9, 20, 21}) rows[i][i] = 4;
  for (const Index i : {8, 20}) rows[i][i + 1] = rows[i + 1][i] = beside;

  CHECK_THROWS_AS(level_ilu(to_csr(rows, 30)), ResultError);
  CHECK_THROWS_WITH(level_ilu(to_csr(rows, 30)), contains("ILU(0): row 10 breaks down"));
  rows[4][4] = 0;
  CHECK_THROWS_AS(level_ilu(to_csr(rows, 30)), InputError);
  CHECK_THROWS_WITH(level_ilu(to_csr(rows, 30)), contains("row 5 has 0 on its diagonal"));
}

TEMPLATE_TEST_CASE("Factors are substituted level by level", "[solver][level_ilu]", double, float) {
  static_assert(solver::Preconditioner<LevelFactors<TestType>, TestType>);
  if (!is_built()) return;
  const Index size = GENERATE(1, 33, 901);
  const HostFactors factors = reference_factors(random_spd(size, 6, 5));
  const std::vector<double> r = values(to_std(to_device<TestType>(random_numbers(std::size_t(size), 2)))).entries;
  const std::vector<double> expected = substitute(factors, r);
  double r_z = 0;

  const LevelFactors<TestType> m(to_device_factors(factors));
  const std::vector<double> z = apply<TestType>(m, r, &r_z);

  CHECK_THAT(values(z), all_close<TestType>(values(expected), 200));
  CHECK(r_z == close<TestType>(exact_dot(values(r), values(expected)), 200. * size));
}

TEST_CASE("A grid has as many levels as diagonals", "[solver][level_ilu]") {
  if (!is_built()) return;
  const auto [dim, n] = GENERATE(std::tuple(2, 20), std::tuple(3, 7));
  CHECK(LevelFactors<double>(level_ilu(linalg::make_poisson(dim, n))).num_levels() == dim * (n - 1) + 1);
}

TEST_CASE("CG with exact substitution takes the iterations of ILU(0)", "[solver][level_ilu]") {
  if (!is_built()) return;
  const auto [dim, n, expected] = GENERATE(std::tuple(2, 60, 61), std::tuple(3, 15, 22));
  const auto matrix = linalg::make_poisson(dim, n);

  CHECK(std::abs(iterations(matrix, LevelFactors<double>(level_ilu(matrix))) - expected) <= 2);
}

TEST_CASE("Substitution is symmetric and positive definite also after few sweeps", "[solver][level_ilu]") {
  if (!is_built()) return;
  const auto matrix = to_csr(random_spd(400, 8, 9), 400);
  const LevelFactors<double> m(solver::chow_patel(matrix, solver::Incomplete::ilu0, 1));
  const std::vector<double> r1 = random_numbers(400, 1), r2 = random_numbers(400, 2);
  double energy = 0;
  const std::vector<double> z1 = apply<double>(m, r1, &energy), z2 = apply<double>(m, r2);

  CHECK(energy > 0);
  CHECK(exact_dot(values(r2), values(z1)) ==
        close<double>(exact_dot(values(r1), values(z2)), 400 * largest(values(z1)) * 40));
}
