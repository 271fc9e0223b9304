// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "miniapp/linalg/local_rows.hpp"
#include "miniapp/linalg/sliced_matrix.hpp"
#include "miniapp/solver/aggregation.hpp"
#include "miniapp/solver/hierarchy.hpp"
#include "miniapp/solver/preconditioner.hpp"

namespace miniapp::solver {

/// What reduces the error that the next coarser level cannot. All are x += d, d = beta d + alpha S (f - A x), S
/// diagonal.
enum class Smoother {
  jacobi,     ///< S = D^-1, damped by 4 / (3 lambda), lambda the largest eigenvalue of D^-1 A
  l1_jacobi,  ///< S = 1 / sum_j |a_ij|, which never diverges
  chebyshev,  ///< S = D^-1, the Chebyshev polynomial that is smallest from lambda / 4 to 1.1 lambda
};
constexpr auto names(Smoother) { return std::array{"jacobi", "l1-jacobi", "chebyshev"}; }
constexpr auto descriptions(Smoother) {
  return std::array{"damped by the largest eigenvalue", "divided by the row's sum of absolute values",
                    "a polynomial of as many terms as there are sweeps"};
}

/// How often the coarser levels are visited. The finest level is worked on once in both.
enum class Cycle {
  v,  ///< once
  w,  ///< twice by the next finer one, so that iterations do not grow with the number of levels
};
constexpr auto names(Cycle) { return std::array{"v", "w"}; }

struct AmgOptions {
  Aggregation aggregation = has_one_thread ? Aggregation::greedy : Aggregation::mis2;
  Smoother smoother = Smoother::chebyshev;
  int sweeps = 2;  ///< before and after the coarser level; of chebyshev its degree
  Cycle cycle = Cycle::w;
  int cycles = 1;          ///< 1 or 2 of them: M^-1 = B or 2 B - B A B
  double strength = 0.02;  ///< below which couplings do not make aggregates, halved from level to level
  /// Most entries per row of the first level's interpolation, 0: all. Fewer make R A P cheaper, which takes most of the
  /// set-up. Of matrices with one unknown per node and one mode, on one rank; others keep all.
  int interpolation = 0;
  int block = 1;         ///< unknowns per node, consecutive; the matrix has whole blocks (require_blocks())
  Index coarsest = 256;  ///< most unknowns of the level that is solved directly
  int max_levels = 20;
  /// On several ranks, most unknowns of the level from which on every rank has all, and does the same as the others:
  /// where messages of a product would take longer than the product. At least `coarsest`.
  Index replicated = runs_on_host ? 4000 : 20000;
  std::function<void(const char*)> phase;  ///< called when a phase of the set-up begins, if set

  void begin(const char* name) const {
    if (phase) phase(name);
  }
};

/// Smoothed aggregation: a cycle as a preconditioner, z = M^-1 r, symmetric positive definite. A level's unknowns are
/// aggregates of the finer one's (aggregation.hpp); P = (I - 4 / (3 lambda) D^-1 A_F) T, with T the near-null space cut
/// to the aggregates and made orthonormal there, and A_F the matrix without weak couplings, which are added to its
/// diagonal; R = P^T, A_coarse = R A P. The coarsest level is solved directly, by a pseudo-inverse where the matrix
/// maps modes to zero (find_null_modes()). The set-up is in double precision, the cycle in Real, of a matrix far from 1
/// times a power of two, so that it neither overflows nor vanishes. On several ranks a level's rows are distributed,
/// and aggregates are of one rank's nodes; before a product values of ghosts are fetched. A level of few unknowns is
/// gathered, and every rank has it and those below. Traffic of a cycle per level, with s sweeps: 2 s
/// products with A, one with P and one with R, and about 14 s words per unknown. Source: Vanek, Mandel, Brezina 1996
/// (aggregation.hpp); M. Adams, M. Brezina, J. Hu, R. Tuminaro, Parallel multigrid smoothing: polynomial versus
/// Gauss-Seidel, J. Comput. Phys. 188 (2003) 593-610.
template <class Real>
class Amg : public StoresResult {
 public:
  /// `near_null` (unknown, mode): what A nearly maps to zero, such as rigid-body motions; empty means ones. Errors:
  /// InputError where the matrix does not consist of blocks (require_blocks()), before any work, where modes do not fit
  /// it, or a diagonal entry is not positive; ResultError where the matrix of a coarser level is seen not to be
  /// positive definite.
  explicit Amg(linalg::CsrMatrix<double> matrix, const AmgOptions& options = {},
               const Vector<const double>& near_null = {});
  /// Multigrid of a matrix whose rows ranks share; `near_null` (own row, mode). `entries` (own row): its entry in
  /// vectors of apply(), whose other entries are copies of those that other ranks own; empty: vectors are of own rows.
  /// Collective. Errors on all ranks.
  explicit Amg(linalg::GhostedMatrix matrix, const AmgOptions& options = {}, const Vector<const double>& near_null = {},
               std::optional<Vector<const Index>> entries = {});
  ~Amg();
  Amg(const Amg&) = delete;
  Amg& operator=(const Amg&) = delete;

  /// z = M^-1 r; returns r . z. Collective.
  template <class Outer>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Outer>& r,
               const Vector<Outer>& z, double) const;

  /// z = M^-1 r, launched without waiting where waits() is false, for a cycle around this one; of a matrix that one
  /// rank has, or with `entries`, where entries of z that other ranks own keep what they have. Collective.
  void run(const Instance& instance, const Vector<const Real>& r, const Vector<Real>& z) const;
  /// Whether run() waits for the instance.
  bool waits() const;

  /// Levels from the finest to the coarsest, of all ranks.
  const std::vector<AmgLevel>& levels() const { return infos_; }
  /// These levels with their complexities, memory and what is unusual.
  Hierarchy hierarchy() const { return make_hierarchy(infos_, bytes(), remark_); }
  /// Memory of this rank's matrices and vectors [bytes].
  double bytes() const;

 private:
  struct Level;
  struct Gathering;
  void add_level(const linalg::GhostedMatrix& matrix, const AmgOptions& options, bool solved,
                 const std::vector<std::vector<double>>& null, std::unique_ptr<Gathering> gathering);
  /// Gives the last level, of this matrix, its slices and vectors, unless it has them. Collective.
  void complete_level(const linalg::GhostedMatrix& matrix, const AmgOptions& options);
  /// f of the first level = this rank's rows of r.
  template <class Outer>
  void take(const Instance& instance, const Vector<const Outer>& r) const;
  /// z at `entries` = x, scaled back.
  template <class Outer>
  void put(const Instance& instance, const Vector<Real>& x, const Vector<Outer>& z) const;
  bool is_visited_twice(std::size_t level) const;
  void solve(const Instance& instance, std::size_t level, const Vector<const Real>& f, const Vector<Real>& x) const;
  void cycle(const Instance& instance, std::size_t level, const Vector<const Real>& f, const Vector<Real>& to) const;
  void small_cycle(const Instance& instance, std::size_t level, const Vector<const Real>& f,
                   const Vector<Real>& to) const;

  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<AmgLevel> infos_;
  std::string remark_;
  std::optional<Vector<const Index>> entries_;
  double factor_ = 1;  ///< a power of two by which the matrix was multiplied before it was rounded, and so is z
};

}  // namespace miniapp::solver
