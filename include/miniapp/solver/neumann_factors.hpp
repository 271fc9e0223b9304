// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/sliced_matrix.hpp"
#include "miniapp/solver/incomplete_factors.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/solver/preconditioner.hpp"

namespace miniapp::solver {

/// Incomplete factors as a preconditioner without substitution: z = P^T D^-1 P r, with the truncated Neumann series
/// P = sum_{k=0}^{terms} (-N)^k ~ (I + N)^-1; the same as `terms` Jacobi iterations y = r - N y on (I + N) y = r from
/// y = r, and as many on (I + N)^T z = D^-1 y. P^T has as many terms as P, so that P^T D^-1 P is symmetric positive
/// definite for any number of them: P is lower triangular with a unit diagonal. N is nilpotent: with as many terms as
/// rows, or as levels (level_ilu.hpp), the solution is exact.
/// Traffic: `terms` times N, N^T and 3 words each per row; 3 words per row more. Launches: 2 terms. Vectors may be in
/// double precision where Real is single; the series is in Real then, and a pass that converts r comes first.
template <class Real>
class NeumannFactors : public StoresResult {
 public:
  /// Errors: InputError where terms < 0.
  NeumannFactors(const IncompleteFactors& factors, int terms);

  /// z = P^T D^-1 P r; returns r . z over all ranks. No entry has copies on other ranks.
  template <class Outer>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Outer>& r,
               const Vector<Outer>& z, double) const;

  /// Bytes that an application moves at least.
  double traffic() const;
  /// Memory of matrices and vectors [bytes].
  double bytes() const;

 private:
  int terms_;
  linalg::SlicedMatrix<Real> lower_, upper_;  // N, N^T
  std::size_t size_;
  Jacobi<Real> pivots_;                   // D^-1
  Vector<Real> middle_, first_, second_;  // D^-1 P r; iterates take turns
};

}  // namespace miniapp::solver
