// SPDX-License-Identifier: BSD-3-Clause
#include "solver/scaling.hpp"

namespace miniapp::solver {
namespace {

struct InvertRoots {
  double* scaling;
  KOKKOS_FUNCTION void operator()(const Index row) const { scaling[row] = 1 / km::sqrt(scaling[row]); }
};

struct Unscale {
  const Index *offsets, *columns;
  const double* scaling;
  double *lower, *diagonal;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    const double own = 1 / scaling[row];
    for (Index e = offsets[row]; e < offsets[row + 1]; ++e) lower[e] *= own * scaling[columns[e]];
    diagonal[row] *= own * own;
  }
};

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

}  // namespace

Vector<double> scaling_of(const linalg::CsrMatrix<double>& matrix) {
  linalg::require_spd_candidate(matrix);
  const Vector<double> scaling = linalg::diagonal(matrix);
  Kokkos::parallel_for("solver/incomplete/scaling", Range(0, matrix.num_rows), InvertRoots{scaling.data()});
  return scaling;
}

void unscale(const IncompleteFactors& factors, const Vector<double>& scaling) {
  const auto& lower = factors.lower;
  Kokkos::parallel_for("solver/incomplete/unscale", Range(0, lower.num_rows),
                       Unscale{lower.offsets.data(), lower.columns.data(), scaling.data(), lower.values.data(),
                               factors.diagonal.data()});
}

}  // namespace miniapp::solver
