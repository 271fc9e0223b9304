// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/global_rows.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/solver/preconditioner.hpp"

namespace miniapp::solver {

/// Whether this build has hypre, of which BoomerAmg is.
bool has_hypre();
/// Why it is not to be had on so many ranks; empty where it is.
std::string why_no_boomer_amg(int ranks);

/// The modes (own row) of a near-null space (entry, mode) after the first `constants`, as BoomerAmg takes them; none of
/// an empty one. `entries`: of this rank's vectors.
std::vector<std::vector<double>> modes_after(const linalg::GlobalRows& rows, const Vector<const double>& near_null,
                                             Index entries, int constants);

struct BoomerAmgOptions {
  int functions = 1;       ///< unknowns per node, consecutive; a rank has whole nodes
  double strength = 0.25;  ///< couplings of less than this part of a row's largest one are weak
};

/// A V-cycle of hypre's BoomerAMG on a matrix that ranks share, z = M^-1 r, symmetric positive definite: classical
/// multigrid, whose levels are those of all ranks. Coarse points by HMIS, extended+i interpolation of at most four
/// entries, one sweep of l1-scaled Gauss-Seidel, forward before and backward after the coarser level, Gaussian
/// elimination on the coarsest. Of several functions points are nodes, and a coupling is the row sum of its block; with
/// `modes` interpolation reproduces these, too (GM 2). All of it is on the host and in double precision: on a GPU
/// vectors are copied. Sources: V. E. Henson, U. M. Yang, BoomerAMG: a parallel algebraic multigrid solver and
/// preconditioner, Appl. Numer. Math. 41 (2002) 155-177; A. H. Baker, R. D. Falgout, T. V. Kolev, U. M. Yang, Multigrid
/// smoothers for ultraparallel computing, SIAM J. Sci. Comput. 33 (2011) 2864-2887; A. H. Baker, Tz. V. Kolev, U. M.
/// Yang, Improving algebraic multigrid interpolation operators for linear elasticity problems, Numer. Linear Algebra
/// Appl. 17 (2010) 495-517.
class BoomerAmg : public StoresResult {
 public:
  /// `modes`: vectors (own row) beside the constants of each function that the matrix nearly maps to zero, such as
  /// rotations. Collective. Errors: InputError in a build without hypre, and, on all ranks, where
  /// hypre cannot number the rows or a rank's entries; ResultError, on all ranks, where its set-up fails.
  explicit BoomerAmg(const linalg::GlobalRows& rows, const BoomerAmgOptions& options = {},
                     const std::vector<std::vector<double>>& modes = {});
  ~BoomerAmg();
  BoomerAmg(const BoomerAmg&) = delete;
  BoomerAmg& operator=(const BoomerAmg&) = delete;

  /// z = M^-1 r on vectors of the space of the rows; returns r . z. Collective.
  template <class Real>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double) const {
    run<Real>(instance, r, z);
    space.exchange.copy_from_owners(instance, z);
    return linalg::dot<Real>(instance, space, r, z);
  }
  /// z = M^-1 r at entries that this rank owns; others stay as they are. Waits for the instance.
  template <class Real>
  void run(const Instance& instance, const Vector<const Real>& r, const Vector<Real>& z) const;

  /// Levels from the finest to the coarsest, of all ranks, without eigenvalues.
  const std::vector<AmgLevel>& levels() const { return infos_; }
  /// These levels with their complexities and memory.
  Hierarchy hierarchy() const { return make_hierarchy(infos_, bytes_); }
  /// Memory of this rank's matrices and vectors [bytes].
  double bytes() const { return bytes_; }

 private:
  struct State;
  void solve() const;
  void describe_levels();

  std::unique_ptr<State> state_;
  Vector<const Index> entries_;  ///< (own row): its entry in vectors
  Vector<double> own_;           ///< (own row)
  HostVector<double> own_host_;
  std::vector<AmgLevel> infos_;
  double bytes_ = 0;
};

}  // namespace miniapp::solver
