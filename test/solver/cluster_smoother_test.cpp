// SPDX-License-Identifier: BSD-3-Clause
#include "solver/cluster_cycle.hpp"

#include <algorithm>

#include "miniapp/linalg/sparse_products.hpp"
#include "support/catch.hpp"
#include "support/vectors.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
namespace {

using miniapp::solver::amg::ClusterLevel, miniapp::solver::amg::Step;

/// Rows of up to 27 entries at columns all over the matrix, dominated by the diagonal.
linalg::CsrMatrix<double> make_matrix(Index rows) {
  Csr<> pattern;
  std::vector<double> values;
  for (Index row = 0; row < rows; ++row) {
    const Index step = std::max<Index>(1, rows / 27), entries = std::min<Index>(27, rows);
    std::vector<Index> columns;
    for (Index k = 0; k < entries; ++k) columns.push_back((row + k * step) % rows);
    std::sort(columns.begin(), columns.end());
    for (const Index column : columns) {
      pattern.entries.push_back(column);
      values.push_back(column == row ? 4 : 1. / (40 + (row + 3 * column) % 7));
    }
    pattern.end_row();
  }
  return linalg::make_csr_matrix(pattern, rows, values);
}

/// The steps on the host; `x` becomes their result. Returns f - A x.
std::vector<double> smooth(const linalg::CsrMatrix<double>& A, const std::vector<Step<double>>& steps,
                           const std::vector<double>& scale, const std::vector<double>& f, std::vector<double>& x) {
  const auto offsets = to_host(A.offsets), columns = to_host(A.columns);
  const auto values = to_host(A.values);
  const auto residual = [&] {
    std::vector<double> r = f;
    for (std::size_t row = 0; row < r.size(); ++row)
      for (Index e = offsets(row); e < offsets(row + 1); ++e) r[row] -= values(e) * x[columns(e)];
    return r;
  };
  std::vector<double> d(f.size(), 0);
  for (const Step<double>& step : steps) {
    const std::vector<double> r = residual();
    for (std::size_t i = 0; i < d.size(); ++i) {
      d[i] = step.alpha * scale[i] * r[i] + step.beta * d[i];
      x[i] += d[i];
    }
  }
  return residual();
}

}  // namespace

TEST_CASE("All steps of a smoother in one kernel are those on the host", "[solver][amg]") {
  const Index rows = GENERATE(1, 31, 343, 3375, int(ClusterLevel::most_rows));
  const bool from_zero = GENERATE(true, false);
  const int count = GENERATE(1, 2, 10);
  const linalg::CsrMatrix<double> A = make_matrix(rows);
  std::vector<Step<double>> steps;
  std::vector<Step<float>> rounded;
  for (int s = 0; s < count; ++s) {
    steps.push_back({0.7 - 0.02 * s, s > 0 ? 0.2 : 0.});
    rounded.push_back({float(steps.back().alpha), float(steps.back().beta)});
  }
  const std::vector<double> scale(rows, 0.25), f = random_numbers(rows, 1);
  std::vector<double> expected = from_zero ? std::vector<double>(rows, 0) : random_numbers(rows, 2);
  const Vector<float> x = to_device<float>(from_zero ? std::vector<double>(rows, 99) : expected),
                      residual = make_vector<float>("residual", rows);
  const std::vector<double> left = smooth(A, steps, scale, f, expected);

  const auto small = solver::amg::make_cluster_rows(A, steps.size());
  if (!has_clusters) {
    CHECK_FALSE(small);
    return;
  }
  REQUIRE(small);
  for (int repeat = 0; repeat < (from_zero ? 2 : 1); ++repeat)  // what a run leaves behind does not matter
    solver::amg::smooth_in_cluster(Instance(), *small, rounded, to_device<float>(scale), to_device<float>(f), x,
                                   residual, from_zero);

  CAPTURE(rows, from_zero, count);
  CHECK_THAT(values(x), all_close<float>(Values{expected}, 28 * count));
  CHECK_THAT(values(residual), AllClose(Values{left}, tolerance<float>(28 * count, 4 * largest(Values{expected}))));
}

TEST_CASE("A cycle of two levels in one kernel is that on the host", "[solver][amg]") {
  const Index rows = GENERATE(1, 31, 343, 3375, int(ClusterLevel::most_rows)),
              coarse = std::min<Index>(rows / 23 + 1, 356);
  const linalg::CsrMatrix<double> A = make_matrix(rows);
  Csr<> pattern;
  for (Index row = 0; row < rows; ++row) {
    const Index first = row * coarse / rows;
    for (Index j = std::max<Index>(0, first - row % 3); j <= std::min<Index>(coarse - 1, first + row % 5); ++j)
      pattern.entries.push_back(j);
    pattern.end_row();
  }
  const linalg::CsrMatrix<double> P = linalg::make_csr_matrix(pattern, coarse,
                                                              random_numbers(pattern.entries.size(), 3)),
                                  R = linalg::transpose(P);
  const auto size = static_cast<std::size_t>(coarse);
  const std::vector<double> inverse = random_numbers(size * size, 4), scale(rows, 0.25), f = random_numbers(rows, 1);
  const std::vector<Step<double>> steps{{0.7, 0}, {0.6, 0.2}, {0.5, 0.1}};
  const std::vector<Step<float>> rounded{{0.7f, 0}, {0.6f, 0.2f}, {0.5f, 0.1f}};

  const auto small = solver::amg::make_cluster_rows(A, steps.size());
  const auto transfers = solver::amg::make_cluster_transfers(P, R);
  REQUIRE(transfers);
  if (!small) return;  // a GPU without clusters
  std::vector<double> expected(rows, 0);
  const std::vector<double> left = smooth(A, steps, scale, f, expected);
  const auto offsets = to_host(P.offsets), columns = to_host(P.columns);
  const auto values_of_P = to_host(P.values);
  std::vector<double> restricted(size, 0), solved(size, 0);
  for (Index row = 0; row < rows; ++row)
    for (Index e = offsets(row); e < offsets(row + 1); ++e) restricted[columns(e)] += values_of_P(e) * left[row];
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) solved[i] += inverse[i * size + j] * restricted[j];
  for (Index row = 0; row < rows; ++row)
    for (Index e = offsets(row); e < offsets(row + 1); ++e) expected[row] += values_of_P(e) * solved[columns(e)];
  const double before = largest(Values{expected});
  smooth(A, steps, scale, f, expected);

  const Vector<float> x = to_device<float>(std::vector<double>(rows, 99));
  for (int repeat = 0; repeat < 2; ++repeat)  // what a run leaves behind does not matter
    solver::amg::cycle_in_cluster(Instance(), *small, *transfers, to_device<float>(inverse), rounded,
                                  to_device<float>(scale), to_device<float>(f), x);
  CAPTURE(rows, coarse);
  CHECK_THAT(values(x), AllClose(Values{expected}, tolerance<float>(28 * 3 + int(size), 4 * before)));
}

TEST_CASE("Matrices with too many rows or entries are smoothed by a launch per step", "[solver][amg]") {
  CHECK_FALSE(solver::amg::make_cluster_rows(make_matrix(ClusterLevel::most_rows + 1), 2));
  CHECK_FALSE(solver::amg::make_cluster_rows(make_matrix(100), ClusterLevel::most_steps + 1));
  Csr<> full;
  for (Index row = 0; row < 29; ++row) {
    for (Index column = 0; column < 29; ++column) full.entries.push_back(column);
    full.end_row();
  }
  CHECK_FALSE(solver::amg::make_cluster_rows(linalg::make_csr_matrix(full, 29, std::vector<double>(29 * 29, 1)), 2));
}
#endif
