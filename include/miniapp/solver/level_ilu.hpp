// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/solver/incomplete_factors.hpp"
#include "miniapp/solver/preconditioner.hpp"

/// Exact factorisation and exact substitution, by Kokkos Kernels: rows whose predecessors are known form a level, which
/// is one launch. A matrix of a grid with n^d unknowns in lexicographic order has d (n - 1) + 1 levels.
namespace miniapp::solver {

/// Whether this build has Kokkos Kernels; without them the functions here throw InputError.
bool has_kokkos_kernels();

/// ILU(0) (KokkosSparse::spiluk with fill level 0) of the matrix scaled to a unit diagonal. N is read off L, D off U.
/// Errors: InputError where require_spd_candidate() refuses the matrix, as with a zero on its diagonal, or the build
/// has no Kokkos Kernels; ResultError naming the row where a pivot is not positive, or not finite.
IncompleteFactors level_ilu(const linalg::CsrMatrix<double>& matrix);

/// Incomplete factors as a preconditioner by substitution (KokkosSparse::sptrsv): z = ((I + N) D (I + N)^T)^-1 r.
/// Symmetric positive definite, since both triangles have the same N. Launches: num_levels() for each of two triangles.
/// Copies share their work vectors.
template <class Real>
class LevelFactors : public StoresResult {
 public:
  /// Errors: InputError where the build has no Kokkos Kernels.
  explicit LevelFactors(const IncompleteFactors& factors);

  /// z = ((I + N) D (I + N)^T)^-1 r; returns r . z over all ranks. No entry has copies on other ranks.
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double) const;

  /// Levels of I + N.
  Index num_levels() const;
  /// Bytes that an application moves at least.
  double traffic() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace miniapp::solver
