// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/vectors.hpp"
#include "solver/amg_kernels.hpp"

namespace miniapp::solver::amg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

}  // namespace

double bring_to_one(linalg::CsrMatrix<double>& matrix, const Communicator& ranks) {
  constexpr int far = 32, most = 1000;
  const Vector<double> diagonal = linalg::diagonal(matrix);
  Kokkos::MinMaxScalar<double> range;
  Kokkos::parallel_reduce(
      "solver/range", Range(0, matrix.num_rows),
      KOKKOS_LAMBDA(const Index row, Kokkos::MinMaxScalar<double>& own) {
        if (!(diagonal(row) >= own.min_val)) own.min_val = diagonal(row);
        if (!(diagonal(row) <= own.max_val)) own.max_val = diagonal(row);
      },
      Kokkos::MinMax<double>(range));
  range.min_val = ranks.of_all(Reduction::min, range.min_val);
  range.max_val = ranks.of_all(Reduction::max, range.max_val);
  if (!(range.min_val > 0 && range.max_val < HUGE_VAL)) return 1;
  const int middle = (std::ilogb(range.min_val) + std::ilogb(range.max_val)) / 2;
  if (std::abs(middle) <= far) return 1;
  const double factor = std::ldexp(1, std::clamp(-middle, -most, most));
  const Instance instance;
  const Vector<double> scaled = make_vector<double>("solver/scaled", matrix.values.extent(0));
  linalg::for_entries(instance, "solver/scale", scaled.extent(0),
                      Multiply<double>{factor, matrix.values.data(), scaled.data()});
  instance.fence();
  matrix.values = scaled;
  return factor;
}

Scaling make_scaling(const linalg::CsrMatrix<double>& matrix, int level, const Communicator& ranks) {
  const auto size = static_cast<std::size_t>(matrix.num_rows);
  const Vector<double> inverse_diagonal = make_vector<double>("solver/inverse diagonal", size),
                       inverse_row_sum = make_vector<double>("solver/row sums", size);
  Scaling scaling{inverse_diagonal, inverse_row_sum};
  Kokkos::parallel_reduce(
      "solver/sum rows", Range(0, matrix.num_rows),
      KOKKOS_LAMBDA(const Index row, double& bound) {
        double sum = 0, own = 0;
        for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1); ++e) {
          sum += km::fabs(matrix.values(e));
          if (matrix.columns(e) == row) own = matrix.values(e);
        }
        inverse_diagonal(row) = 1 / own;
        inverse_row_sum(row) = 1 / sum;
        const double ratio = own > 0 ? sum / own : HUGE_VAL;
        if (!(ratio <= bound)) bound = ratio;
      },
      Kokkos::Max<double>(scaling.row_bound));
  if (!(scaling.row_bound < HUGE_VAL)) {
    Index lowest = matrix.num_rows;
    Kokkos::parallel_reduce(
        "solver/not positive", Range(0, matrix.num_rows),
        KOKKOS_LAMBDA(const Index row, Index& first) {
          const double d = inverse_diagonal(row);
          if (!(d > 0 && d < HUGE_VAL) && row < first) first = row;
        },
        Kokkos::Min<Index>(lowest));
    const std::string row = fmt::format("row {} of {}", lowest + 1, matrix.num_rows) +
                            (ranks.is_alone() ? "" : fmt::format(" of rank {}", ranks.rank()));
    require(level > 0, "AMG: " + row + " has no positive diagonal entry; accepted are positive definite matrices");
    throw ResultError(
        fmt::format("AMG: the matrix is not positive definite, since on level {}, coarser, {} has "
                    "no positive diagonal entry",
                    level, row));
  }
  return scaling;
}

std::vector<double> to_dense(const linalg::CsrMatrix<double>& matrix) {
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  const auto values = to_host(matrix.values);
  const auto n = static_cast<std::size_t>(matrix.num_rows);
  std::vector<double> dense(n * n, 0);
  for (std::size_t row = 0; row < n; ++row)
    for (Index e = offsets(row); e < offsets(row + 1); ++e) dense[row * n + columns(e)] = values(e);
  return dense;
}

}  // namespace miniapp::solver::amg
