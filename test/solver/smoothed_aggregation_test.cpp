// SPDX-License-Identifier: BSD-3-Clause
#include "solver/smoothed_aggregation.hpp"

#include "support/sparse.hpp"

TEST_CASE("Truncated interpolation keeps the largest entries and what ones are interpolated to",
          "[solver][smoothed_aggregation]") {
  const int most = GENERATE(1, 2, 3), dim = GENERATE(2, 3);
  const linalg::CsrMatrix<double> A = linalg::make_poisson(dim, 12);
  const auto size = static_cast<std::size_t>(A.num_rows);
  const auto couplings = solver::strong_couplings(A, 1, 0.02);
  const auto aggregates = solver::aggregate(couplings, solver::Aggregation::greedy);
  const Vector<double> ones = test::to_device<double>(std::vector<double>(size, 1));
  const auto make = [&](int entries) {
    return make_interpolation(linalg::make_ghosted(A), couplings, aggregates, ones, 1, 1, 0.7, entries);
  };
  const solver::Interpolation all = make(0), few = make(most);
  const Rows from = to_rows(all.P.rows), kept = to_rows(few.P.rows);
  const std::vector<double> coarse = to_std(few.coarse);

  CHECK_THAT(values(multiply(kept, coarse)), all_close<double>(values(multiply(from, coarse)), 10));
  std::size_t shortened = 0;
  for (std::size_t row = 0; row < size; ++row) {
    REQUIRE(kept[row].size() == std::min(from[row].size(), std::size_t(most)));
    shortened += kept[row].size() < from[row].size();
    double least = INFINITY, scale = 0;
    for (const auto& [column, value] : kept[row]) {
      const double before = from[row].at(column), ratio = value / before;
      if (scale != 0) CHECK(std::fabs(ratio - scale) < 1e-12 * scale);
      scale = ratio;
      least = std::min(least, std::fabs(before * coarse[static_cast<std::size_t>(column)]));
    }
    for (const auto& [column, value] : from[row])
      if (!kept[row].count(column))
        CHECK(std::fabs(value * coarse[static_cast<std::size_t>(column)]) <= least * (1 + 1e-14));
  }
  CHECK(shortened > (most < 3 ? size / 4 : 0));
}
