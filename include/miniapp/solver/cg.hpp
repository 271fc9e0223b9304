// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/solver/linear_operator.hpp"
#include "miniapp/streaming/vector_kernels.hpp"

namespace miniapp::solver {

struct CgOptions {
  double tolerance = 1e-10;                                               ///< stop when |r| <= tolerance |b|
  int max_iterations = 10000;                                             ///< give up after
  std::function<void(int iteration, double relative_residual)> progress;  ///< called after every iteration, if set
};

struct CgResult {
  int iterations = 0;
  double relative_residual = 0;  ///< |r| / |b| of the recurrence
  bool converged = false;
  std::vector<double> residuals;  ///< |r| / |b| before the first and after each iteration
};

/// Throws ResultError unless both are positive.
inline void require_positive(double p_q, double r_z, int iteration) {
  if (!(p_q > 0) || !(r_z > 0))
    throw ResultError(
        "CG broke down in iteration " + std::to_string(iteration) + ": " + (p_q > 0 ? "r . z" : "p . A p") +
        " is not positive; the operator or the preconditioner is not positive definite, or data hold NaN");
}

/// Vectors that an iteration needs beside b and x: r, p, q = A p and z.
template <class Real>
struct CgWorkspace {
  explicit CgWorkspace(std::size_t size, bool preconditioned)
      : r(make_zeros<Real>("solver/cg/r", size)),
        p(make_zeros<Real>("solver/cg/p", size)),
        q(make_zeros<Real>("solver/cg/q", size)),
        z(make_zeros<Real>("solver/cg/z", preconditioned ? size : 0)) {}
  Vector<Real> r, p, q, z;
};

/// Solves A x = b by preconditioned conjugate gradients from x = 0 (Hestenes and Stiefel 1952).
/// Traffic of an iteration in words an entry, beside A and M: dot 2, update 6, direction 3.
/// Errors: ResultError where p . A p or r . z is not positive: A or M is not positive definite, or data hold NaN.
template <class Real, LinearOperator<Real> Operator, Preconditioner<Real> M>
CgResult cg(const Operator& A, const M& preconditioner, const Vector<const Real>& b, const Vector<Real>& x,
            CgWorkspace<Real>& work, const CgOptions& options) {
  const auto& [r, p, q, z] = work;
  Kokkos::deep_copy(x, Real(0));
  streaming::copy<Real>(b, r);
  double r_r = streaming::dot<Real>(r, r);
  const double norm_b = std::sqrt(r_r);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  result.converged = norm_b == 0;
  double r_z = preconditioner.apply(Vector<const Real>(r), z, r_r);
  streaming::copy<Real>(preconditioner.result(Vector<const Real>(r), z), p);
  while (!result.converged && result.iterations < options.max_iterations) {
    A.apply(Vector<const Real>(p), q);
    const double p_q = streaming::dot<Real>(p, q);
    require_positive(p_q, r_z, result.iterations + 1);
    r_r = streaming::update<Real>(static_cast<Real>(r_z / p_q), p, q, x, r);
    ++result.iterations;
    result.residuals.push_back(std::sqrt(r_r) / norm_b);
    if (options.progress) options.progress(result.iterations, result.residuals.back());
    result.converged = result.residuals.back() <= options.tolerance;
    const double r_z_before = r_z;
    r_z = preconditioner.apply(Vector<const Real>(r), z, r_r);
    streaming::axpby<Real>(Real(1), preconditioner.result(Vector<const Real>(r), z),
                           static_cast<Real>(r_z / r_z_before), p);
  }
  result.relative_residual = result.residuals.back();
  return result;
}

}  // namespace miniapp::solver
