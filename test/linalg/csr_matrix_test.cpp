// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/csr_matrix.hpp"

#include <limits>

#include "support/sparse.hpp"

TEST_CASE("The Poisson matrix has the stencil of central differences", "[linalg][csr_matrix]") {
  const int dim = GENERATE(2, 3), n = GENERATE(1, 2, 5);
  const auto rows = to_rows(linalg::make_poisson(dim, n));
  const int size = dim == 2 ? n * n : n * n * n;
  REQUIRE(int(rows.size()) == size);

  Rows expected(rows.size());
  const auto at = [&](int i, int j, int k) { return i + n * (j + n * k); };
  const auto inside = [&](int i) { return 0 <= i && i < n; };
  for (int k = 0; k < (dim == 3 ? n : 1); ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        auto& row = expected[at(i, j, k)];
        row[at(i, j, k)] = 2 * dim;
        for (const int s : {-1, 1}) {
          if (inside(i + s)) row[at(i + s, j, k)] = -1;
          if (inside(j + s)) row[at(i, j + s, k)] = -1;
          if (dim == 3 && inside(k + s)) row[at(i, j, k + s)] = -1;
        }
      }
  CHECK(rows == expected);
}

TEST_CASE("The diagonal of a matrix is zero where a row has no such entry", "[linalg][csr_matrix]") {
  const auto matrix = to_csr({{{0, 2}, {1, 5}}, {{0, 5}}, {{1, 4}, {2, 7}}}, 3);

  CHECK(to_std(linalg::diagonal(matrix)) == std::vector<double>{2, 0, 7});
}

TEST_CASE("A matrix that cannot be positive definite is refused with its place", "[linalg][csr_matrix]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Rows good = random_spd(50, 6, 1);
  linalg::require_spd_candidate(to_csr(good, 50));

  Rows bad = good;
  bad[17].erase(17);
  CHECK_THROWS_WITH(linalg::require_spd_candidate(to_csr(bad, 50)), contains("row 18 has 0 on its diagonal"));
  bad = good;
  bad[17][17] = -1;
  CHECK_THROWS_WITH(linalg::require_spd_candidate(to_csr(bad, 50)), contains("row 18 has -1 on its diagonal"));
  bad = good;
  bad[9].rbegin()->second = nan;
  const Index last = bad[9].rbegin()->first + 1;
  CHECK_THROWS_WITH(linalg::require_spd_candidate(to_csr(bad, 50)),
                    contains("matrix: (10, " + std::to_string(last) + ") is nan; accepted are finite numbers"));
  bad = good;
  bad[30][2] = 0.5;
  bad[2][30] = 0.25;
  CHECK_THROWS_WITH(linalg::require_spd_candidate(to_csr(bad, 50), "A"),
                    contains("A: (3, 31) is 0.25 and (31, 3) is 0.5; accepted are symmetric matrices"));
  bad[30].erase(2);
  CHECK_THROWS_WITH(linalg::require_spd_candidate(to_csr(bad, 50), "A"), contains("(3, 31) is 0.25 and (31, 3) is 0;"));
  bad[30][2] = 0.25 + 1e-8;
  CHECK_THROWS_WITH(linalg::require_spd_candidate(to_csr(bad, 50), "A"), contains("A: (3, 31) is 0.25 and (31, 3) is"));
  bad[30][2] = 0.25 + 1e-15;  // rounding
  linalg::require_spd_candidate(to_csr(bad, 50));
  CHECK_THROWS_WITH(linalg::require_spd_candidate(to_csr(good, 51)), contains("50 x 51"));
}

TEST_CASE("Symmetry is judged relative to the diagonal", "[linalg][csr_matrix]") {
  Rows rows{{{0, 1e10}, {1, 1}}, {{0, 1 + 1e-6}, {1, 1e10}}};

  CHECK(linalg::find_asymmetry(to_csr(rows, 2), 1e-12) == -1);
  CHECK(linalg::find_asymmetry(to_csr(rows, 2), 1e-18) == 0);
}

TEST_CASE("Rows that are no matrix are refused", "[linalg][csr_matrix]") {
  CHECK_THROWS_AS(linalg::make_csr_matrix({{0, 2}, {0, 3}}, 3, {1, 2}), InputError);
  CHECK_THROWS_AS(linalg::make_csr_matrix({{0, 2}, {1, 0}}, 3, {1, 2}), InputError);
  CHECK_THROWS_AS(linalg::make_csr_matrix({{0, 2}, {1, 1}}, 3, {1, 2}), InputError);
  CHECK_THROWS_AS(linalg::make_csr_matrix({{0, 2}, {0, 1}}, 3, {1}), InputError);
  CHECK_THROWS_AS(linalg::make_poisson(4, 3), InputError);
  CHECK_THROWS_AS(linalg::make_poisson(2, 0), InputError);
  CHECK_THROWS_AS(linalg::make_poisson(3, 700), InputError);
}
