// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/solver/preconditioner.hpp"
#include "miniapp/solver/reliable_residual.hpp"

namespace miniapp::solver {

struct GmresOptions {
  double tolerance = 1e-10;    ///< stop when |b - A x| <= tolerance |b|
  int max_iterations = 10000;  ///< largest number of iterations
};

struct GmresResult {
  int iterations = 0;
  double true_relative_residual = 0;  ///< |b - A x| / |b|
  double floor = 0;                   ///< see estimate_floor(), relative to |b|
  Verdict verdict = Verdict::unconverged;
  std::vector<double> residuals;  ///< |r| / |b| before the first and after each iteration, by the rotations

  /// Or stagnated at the floor of the precision.
  bool converged() const { return verdict == Verdict::converged || verdict == Verdict::stagnated; }
};

/// Vectors that GMRES needs in addition to b and x: two per iteration until it restarts, and four.
template <class Real>
struct GmresWorkspace {
  explicit GmresWorkspace(std::size_t size, int restart = 30)
      : r(make_zeros<Real>("solver/gmres/r", size)),
        d(make_zeros<Real>("solver/gmres/d", size)),
        z(make_zeros<Real>("solver/gmres/z", size)) {
    for (int j = 0; j <= restart; ++j) v.push_back(make_zeros<Real>("solver/gmres/v", size));
    for (int j = 0; j < restart; ++j) m_v.push_back(make_zeros<Real>("solver/gmres/m v", size));
  }
  Vector<Real> r, d, z;
  std::vector<Vector<Real>> v, m_v;  ///< orthonormal directions; M^-1 of them
};

namespace detail {

/// The small least-squares problem min |beta e_1 - H y|, H upper Hessenberg, by Givens rotations, column by column.
class HessenbergProblem {
 public:
  explicit HessenbergProblem(double beta) : g_{beta} {}
  /// Column j has entries 0 .. j + 1. Returns the new minimum.
  double add(std::vector<double> column) {
    const std::size_t j = columns_.size();
    for (std::size_t i = 0; i < j; ++i) {
      const double above = column[i], below = column[i + 1];
      column[i] = c_[i] * above + s_[i] * below;
      column[i + 1] = c_[i] * below - s_[i] * above;
    }
    const double length = std::hypot(column[j], column[j + 1]);
    c_.push_back(length > 0 ? column[j] / length : 1);
    s_.push_back(length > 0 ? column[j + 1] / length : 0);
    column[j] = length;
    columns_.push_back(std::move(column));
    g_.push_back(-s_[j] * g_[j]);
    g_[j] *= c_[j];
    return std::fabs(g_[j + 1]);
  }
  /// y; 0 where a column is dependent on those before it.
  std::vector<double> solve() const {
    std::vector<double> y(g_.begin(), g_.end() - 1);
    for (std::size_t i = y.size(); i-- > 0;) {
      for (std::size_t k = i + 1; k < y.size(); ++k) y[i] -= columns_[k][i] * y[k];
      y[i] = columns_[i][i] != 0 ? y[i] / columns_[i][i] : 0;
    }
    return y;
  }

 private:
  std::vector<double> g_, c_, s_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace detail

/// Solves A x = b, A not necessarily symmetric, by restarted flexible GMRES from x = 0, preconditioned from the right,
/// so that its residual is b - A x. It minimises |b - A x| over M^-1 times the directions since the last restart, made
/// orthonormal by the modified Gram-Schmidt process. The verdict is about b - A x as it is computed at each restart.
/// Traffic of iteration j after a restart in words per entry, without A and M: about 5 j + 8. Source: Y. Saad, A
/// flexible inner-outer preconditioned GMRES algorithm, SIAM J. Sci. Comput. 14 (1993) 461-469.
/// Errors: ResultError where a residual is not finite.
template <class Real, linalg::LinearOperator<Real> Operator, Preconditioner<Real> M>
GmresResult gmres(const Instance& instance, const Operator& A, const M& preconditioner, const Vector<const Real>& b,
                  const Vector<Real>& x, GmresWorkspace<Real>& work, const GmresOptions& options) {
  const space::Space& space = A.space();
  linalg::require_vectors(space, {{"b", b.extent(0)}, {"x", x.extent(0)}, {"work", work.r.extent(0)}});
  const auto norm = [&](const Vector<const Real>& of) {
    const double result = std::sqrt(linalg::dot<Real>(instance, space, of, of));
    if (!std::isfinite(result)) throw ResultError("GMRES broke down: a residual is not finite; data hold NaN");
    return result;
  };
  const auto add = [&](double factor, const Vector<const Real>& of, const Vector<Real>& to) {
    linalg::axpby<Real>(instance, static_cast<Real>(factor), of, Real(1), to);
  };
  Kokkos::deep_copy(instance.space(), x, Real(0));
  linalg::copy<Real>(instance, b, work.r);
  const double norm_b = norm_of_right_side<Real>(instance, space, b, std::pow(norm(b), 2), work.z, "GMRES");
  GmresResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  constexpr double least_gain = 1e-4;  // of a restart, so that slow convergence is none the less
  double actual = norm_b, before = 2 * norm_b;
  const double goal = options.tolerance * norm_b;
  while (actual > residual_slack * goal && actual > at_floor * result.floor * norm_b &&
         actual <= (1 - least_gain) * before && result.iterations < options.max_iterations) {
    before = actual;
    detail::HessenbergProblem problem(actual);
    linalg::axpby<Real>(instance, static_cast<Real>(1 / actual), work.r, Real(0), work.v[0]);
    double least = actual;
    std::size_t j = 0;
    while (j < work.m_v.size() && least > goal && result.iterations < options.max_iterations) {
      preconditioner.apply(instance, space, Vector<const Real>(work.v[j]), work.z, 1);
      linalg::copy<Real>(instance, preconditioner.result(Vector<const Real>(work.v[j]), work.z), work.m_v[j]);
      const Vector<Real>& next = work.v[j + 1];
      linalg::apply<Real>(instance, A, work.m_v[j], next);
      std::vector<double> column;
      for (std::size_t i = 0; i <= j; ++i) {
        column.push_back(linalg::dot<Real>(instance, space, next, work.v[i]));
        add(-column.back(), work.v[i], next);
      }
      column.push_back(norm(next));
      if (column.back() > 0) linalg::axpby<Real>(instance, Real(0), next, static_cast<Real>(1 / column.back()), next);
      least = problem.add(std::move(column));
      ++j;
      ++result.iterations;
      result.residuals.push_back(least / norm_b);
    }
    const std::vector<double> y = problem.solve();
    for (std::size_t i = 0; i < j; ++i) add(y[i], work.m_v[i], x);
    linalg::apply<Real>(instance, A, x, work.z);
    linalg::copy<Real>(instance, b, work.r);
    add(-1, work.z, work.r);
    actual = norm(work.r);
    result.floor = estimate_floor<Real>(instance, A, x, work.d, work.z) / norm_b;
  }
  result.true_relative_residual = norm_b > 0 ? actual / norm_b : 0;
  if (result.true_relative_residual <= residual_slack * options.tolerance)
    result.verdict = Verdict::converged;
  else if (result.true_relative_residual <= std::min(floor_slack * result.floor, largest_stagnation))
    result.verdict = Verdict::stagnated;
  return result;
}

}  // namespace miniapp::solver
