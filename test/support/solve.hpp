// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/load.hpp"
#include "support/problems.hpp"

namespace miniapp::test {

/// CG's result for the manufactured problem.
struct Solution {
  Values x;
  solver::CgResult cg;
  double l2_error = 0;  ///< relative, against the exact solution
};

/// Solves the problem with the manufactured right-hand side, Jacobi's preconditioner and the given kernel.
inline Solution solve(const Discretisation& d, const Variant& variant, Boundary boundary) {
  const tensor::Manufactured u{boundary};
  const Vector<const double> b =
      make_load(d, u, tensor::Manufactured::source(tensor::has_stiffness(d.problem), d.lambda));
  const Vector<double> x = make_vector<double>("x", b.extent(0));
  const double tolerance = d.order < 7 ? 1e-14 : 1e-13;  // above the floor of rounding
  solver::CgWorkspace<double> work(b.extent(0), true);
  const auto op = tensor::make_operator<double>(variant, d);
  solver::CgResult cg =
      solver::cg<double>(Instance(), *op, solver::Jacobi<double>(make_diagonal(d)), b, x, work, {tolerance, 10000, {}});
  return {values(x), std::move(cg), relative_l2_error(d, x, u)};
}
/// Solves the problem with its fastest kernel, or with the reference for an order that is not built.
inline Solution solve(const Discretisation& d, Boundary boundary) { return solve(d, usual_variant(d), boundary); }

}  // namespace miniapp::test
