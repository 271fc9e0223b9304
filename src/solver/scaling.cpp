// SPDX-License-Identifier: BSD-3-Clause
#include "solver/scaling.hpp"

namespace miniapp::solver {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

}  // namespace

Vector<double> scaling_of(const linalg::CsrMatrix<double>& matrix) {
  linalg::require_spd_candidate(matrix);
  const Vector<double> scaling = linalg::diagonal(matrix);
  Kokkos::parallel_for(
      "solver/incomplete/scaling", Range(0, matrix.num_rows),
      KOKKOS_LAMBDA(const Index row) { scaling(row) = 1 / km::sqrt(scaling(row)); });
  return scaling;
}

void unscale(const IncompleteFactors& factors, const Vector<double>& scaling) {
  const linalg::CsrMatrix<double> lower = factors.lower;
  const Vector<double> diagonal = factors.diagonal;
  Kokkos::parallel_for(
      "solver/incomplete/unscale", Range(0, lower.num_rows), KOKKOS_LAMBDA(const Index row) {
        const double own = 1 / scaling(row);
        for (Index e = lower.offsets(row); e < lower.offsets(row + 1); ++e)
          lower.values(e) *= own * scaling(lower.columns(e));
        diagonal(row) *= own * own;
      });
}

}  // namespace miniapp::solver
