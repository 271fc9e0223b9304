// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"
#include "miniapp/linalg/sliced_matrix.hpp"

/// The loops of a V-cycle (Amg).
namespace miniapp::solver::amg {

/// A step of a smoother: x += d, d = beta d + alpha S (f - A x).
template <class Real>
struct Step {
  Real alpha, beta;
};

/// The first step from x = 0: x = d = alpha S f. 4 words per entry.
template <class Real>
struct FirstStep {
  Step<Real> step;
  const Real *scale, *f;
  Real *x, *d;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return step.alpha * scale[i] * f[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    x[i] = value;
    d[i] = value;
  }
};

/// A step from x to `next`, on rows of A. 6 words per row beside A and its x.
template <class Real>
struct SmoothingStep {
  Step<Real> step;
  const Real *scale, *f, *x;
  Real *d, *next;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add&) const {
    Real direction = step.alpha * scale[row] * (f[row] - product);
    if (step.beta != 0) direction += step.beta * d[row];
    d[row] = direction;
    next[row] = x[row] + direction;
  }
};

/// y (i) = x (from (i)).
template <class Outer, class Real>
struct Take {
  const Index* from;
  const Outer* x;
  Real* y;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return static_cast<Real>(x[from[i]]); }
  template <class Sum>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Sum&) const {
    y[i] = value;
  }
};

/// y (to (i)) = factor x (i).
template <class Real, class Outer>
struct Put {
  const Index* to;
  double factor;
  const Real* x;
  Outer* y;
  KOKKOS_FUNCTION Outer load(std::size_t i) const { return static_cast<Outer>(factor * double(x[i])); }
  template <class Sum>
  KOKKOS_FUNCTION void finish(std::size_t i, Outer value, const Sum&) const {
    y[to[i]] = value;
  }
};

template <class Real>
struct Add {
  Real* y;
  template <class Sum>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Sum&) const {
    y[row] += product;
  }
};

/// y = factor x. 2 words per entry.
template <class Real>
struct Multiply {
  double factor;
  const Real* x;
  Real* y;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return static_cast<Real>(factor * double(x[i])); }
  template <class Sum>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Sum&) const {
    y[i] = value;
  }
};

/// y = M x for a dense M (row, column): one team per row.
template <class Real>
struct DenseRow {
  static constexpr int threads = 32, teams_at_once = 32;
  static constexpr std::size_t scratch_bytes = 0;
  const Real *M, *x;
  Real* y;
  int size;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Real* const row = M + std::int64_t(team.league_rank()) * size;
    double sum = 0;
    for (int k = team.team_rank(); k < size; k += team.team_size()) sum += double(row[k]) * double(x[k]);
    if (team.sum(sum)) y[team.league_rank()] = static_cast<Real>(sum);
  }
};

template <class Real>
void multiply_dense(const Instance& instance, const Vector<Real>& M, const Vector<const Real>& x,
                    const Vector<Real>& y) {
  const auto size = static_cast<int>(x.extent(0));
  for_teams(instance, "solver/amg/coarsest", size, DenseRow<Real>{M.data(), x.data(), y.data(), size});
}

/// The diagonal scalings of a matrix.
struct Scaling {
  Vector<double> inverse_diagonal, inverse_row_sum;  ///< 1 / a_ii, 1 / sum_j |a_ij|
  double row_bound = 0;  ///< the largest sum_j |a_ij| / a_ii: no eigenvalue of D^-1 A is larger
};
/// Errors: where a diagonal entry is not positive, InputError on level 0, the matrix that was given; ResultError on a
/// coarser one. They name the row, of this rank where there are several.
Scaling make_scaling(const linalg::CsrMatrix<double>& matrix, int level, const Communicator& ranks);

/// Multiplies a matrix of ranks whose diagonal is beyond 2^-32 to 2^32 by a power of two, so that the middle between
/// its least and its largest exponent becomes 0. The numbers that were given stay. Returns that power, or 1.
/// Collective.
double bring_to_one(linalg::CsrMatrix<double>& matrix, const Communicator& ranks);

/// All numbers of a matrix on the host, (row, column).
std::vector<double> to_dense(const linalg::CsrMatrix<double>& matrix);

}  // namespace miniapp::solver::amg
