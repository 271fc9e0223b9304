// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/chow_patel.hpp"

#include "support/incomplete.hpp"

using solver::chow_patel;
using solver::Incomplete;

namespace {

Incomplete any_kind() { return GENERATE(Incomplete::ic0, Incomplete::ilu0); }

/// Largest difference of an entry from that of the reference, relative to the matrix scaled to a unit diagonal.
double distance(const HostFactors& factors, const HostFactors& expected) {
  double most = 0;
  const std::vector<double>& d = expected.diagonal;
  for (std::size_t i = 0; i < d.size(); ++i) {
    REQUIRE(factors.lower[i].size() == expected.lower[i].size());
    for (const auto& [j, value] : expected.lower[i])
      most = std::max(most, std::abs(factors.lower[i].at(j) - value) * std::sqrt(d[j] / d[i]));
    most = std::max(most, std::abs(factors.diagonal[i] / d[i] - 1));
  }
  return most;
}

/// Rows and columns times 10^(-4 .. 4).
Rows badly_scaled(Rows rows) {
  const auto scale = [](Index i) { return std::pow(10., double(i % 9) - 4); };
  for (Index i = 0; i < Index(rows.size()); ++i)
    for (auto& [j, value] : rows[i]) value *= scale(i) * scale(j);
  return rows;
}

}  // namespace

TEST_CASE("Many sweeps give the incomplete factors of elimination", "[solver][chow_patel]") {
  const Incomplete kind = any_kind();
  const Index size = GENERATE(1, 2, 40, 301);
  const int most = GENERATE(2, 9);
  const Rows rows = badly_scaled(random_spd(size, most, 3));

  const auto factors = chow_patel(to_csr(rows, size), kind, 2 * size);

  CHECK(factors.lower.num_columns == size);
  CHECK(distance(to_host_factors(factors), reference_factors(rows)) <= tolerance<double>(10 * most, 1));
}

TEST_CASE("Many sweeps factorise the Poisson matrix", "[solver][chow_patel]") {
  const int dim = GENERATE(2, 3);
  const auto matrix = linalg::make_poisson(dim, 9);

  const auto factors = chow_patel(matrix, any_kind(), 100);

  CHECK(distance(to_host_factors(factors), reference_factors(to_rows(matrix))) <= tolerance<double>(10, 1));
}

TEST_CASE("A sweep takes all entries from the iterate before it", "[solver][chow_patel]") {
  // a_ij / (a_ii a_jj)^(1/2) is 1/2 in (2, 1), 1/4 in (3, 1), 1/8 in (3, 2)
  const auto matrix =
      to_csr({{{0, 4}, {1, 2}, {2, 0.5}}, {{0, 2}, {1, 4}, {2, 0.25}}, {{0, 0.5}, {1, 0.25}, {2, 1}}}, 3);
  const auto none = to_host_factors(chow_patel(matrix, any_kind(), 0));
  CHECK(none.lower == Rows{{}, {{0, 0.5}}, {{0, 0.125}, {1, 0.0625}}});
  CHECK(none.diagonal == std::vector<double>{4, 4, 1});

  const auto ilu = to_host_factors(chow_patel(matrix, Incomplete::ilu0, 1));
  // u_22 = 1 - 1/4, u_23 = 1/8 - 1/2 1/4 = 0, u_33 = 1 - 1/16 - 1/64: u_22 is still 1 for it
  CHECK(ilu.lower == Rows{{}, {{0, 0.5}}, {{0, 0.125}, {1, 0}}});
  CHECK(ilu.diagonal == std::vector<double>{4, 3, 0.921875});

  const auto ic = to_host_factors(chow_patel(matrix, Incomplete::ic0, 1));
  CHECK_THAT(values(ic.diagonal), all_close<double>(values(std::vector<double>{4, 3, 0.921875}), 3));
  CHECK(ic.lower[2].at(1) == 0);
}

TEST_CASE("Sweeps come closer to the incomplete factors", "[solver][chow_patel]") {
  const auto matrix = linalg::make_poisson(2, 20);
  const HostFactors expected = reference_factors(to_rows(matrix));
  const Incomplete kind = any_kind();
  double before = distance(to_host_factors(chow_patel(matrix, kind, 0)), expected);
  for (const int sweeps : {1, 3, 6}) {
    const double now = distance(to_host_factors(chow_patel(matrix, kind, sweeps)), expected);
    CHECK(now < before / 2);
    before = now;
  }
}

TEST_CASE("A pivot that is not positive for a while does not spoil the factors", "[solver][chow_patel]") {
  const Rows rows{{{0, 1}, {1, 0.9}, {2, 0.8}}, {{0, 0.9}, {1, 1}, {2, 0.8}}, {{0, 0.8}, {1, 0.8}, {2, 1}}};
  const auto matrix = to_csr(rows, 3);
  const Incomplete kind = any_kind();

  CHECK_THROWS_AS(chow_patel(matrix, kind, 1), ResultError);
  CHECK_THROWS_WITH(chow_patel(matrix, kind, 1), contains("row 3 breaks down: its pivot in sweep 1 is not positive"));
  CHECK(distance(to_host_factors(chow_patel(matrix, kind, 6)), reference_factors(rows)) <= tolerance<double>(10, 1));
}

TEST_CASE("A pivot that is almost zero for a while does not reach the rows below", "[solver][chow_patel]") {
  Rows rows{{{0, 1}, {1, 0.5}, {2, 0.6}}, {{0, 0.5}, {1, 1}, {2, 0.8}}, {{0, 0.6}, {1, 0.8}, {2, 1}, {3, 0.5}}, {}};
  rows[3] = {{2, 0.5}, {3, 1}};  // 1 - 0.6^2 - 0.8^2 is the third pivot of the first sweep

  CHECK_THROWS_WITH(chow_patel(to_csr(rows, 4), any_kind(), 1), contains("row 3 breaks down"));
  CHECK_NOTHROW(chow_patel(to_csr(rows, 4), any_kind(), 2));
}

TEST_CASE("A matrix without incomplete factors breaks down in its row", "[solver][chow_patel]") {
  const double beside = GENERATE(1, 2);  // a pivot of zero, of -3
  Rows rows = random_spd(30, 0, 1);
  for (const Index i : {8, 9, 20, 21}) rows[i][i] = 1;
  for (const Index i : {8, 20}) rows[i][i + 1] = rows[i + 1][i] = beside;

  CHECK_THROWS_AS(chow_patel(to_csr(rows, 30), any_kind(), 5), ResultError);
  CHECK_THROWS_WITH(chow_patel(to_csr(rows, 30), any_kind(), 5), contains("row 10 breaks down"));
}

TEST_CASE("Matrices that have no factors at all are refused", "[solver][chow_patel]") {
  Rows rows = random_spd(20, 3, 1);
  rows[4][4] = 0;
  CHECK_THROWS_AS(chow_patel(to_csr(rows, 20), any_kind()), InputError);
  CHECK_THROWS_WITH(chow_patel(to_csr(rows, 20), any_kind()), contains("row 5 has 0 on its diagonal"));
  CHECK_THROWS_WITH(chow_patel(linalg::make_poisson(2, 3), any_kind(), -1), contains("sweeps -1"));
}
