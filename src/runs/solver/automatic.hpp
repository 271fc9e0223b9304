// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/linalg/distributed_matrix.hpp"
#include "runs/attempt.hpp"
#include "runs/solver/preconditioner.hpp"

/// What --preconditioner auto of `miniapp solver` stands for. Time is counted in iterations of CG with Jacobi, which
/// every machine has its own seconds for.
namespace miniapp::solver {

using Attempt = measure::Attempt<PreconditionerKind>;
using GivenUp = measure::GivenUp<PreconditionerKind>;

/// What tells how CG will converge.
struct MatrixShape {
  double entries = 0;          ///< per row
  double diameter = 0;         ///< how many entries lie between two rows at most, of the rows of a rank
  double dominance = 0;        ///< least of (a_ii - sum of |a_ij|, j != i) / a_ii
  bool same_diagonal = false;  ///< so that Jacobi changes nothing
};
/// The shape of a matrix. Its diameter takes two searches through the graph, breadth first; GPUs take that of a grid of
/// as many rows. Collective.
MatrixShape measure_shape(const linalg::DistributedMatrix& matrix);

/// What CG costs with the diagonal, or without where that is the same, and with multigrid where that can run and
/// `multigrid_fits` the memory, the least first. A preconditioner acts on neighbours, and a solution depends on all of
/// b: CG with Jacobi takes about as many iterations as the graph is long (0.84 to 1.5 times as many on Poisson
/// problems), fewer where the diagonal dominates. `product` is the time of A x [s]: on GPUs multigrid takes some
/// milliseconds however small the matrix is. The figures are fits to measurements (docs/results/solver.md).
std::vector<Attempt> predict_costs(const MatrixShape& shape, double tolerance, double product, int ranks,
                                   bool multigrid_fits);

/// Whether CG had better be given up for what costs `other` in all: the rest will take longer at the rate of the last
/// half. What was expected to cost less than the other is judged after 0.6 times its iterations or half of the other's
/// cost; else it is a trial, of an eighth of that. What had a set-up has three times its iterations: the set-up is
/// spent, and slow beginnings of the diagonal look quicker than they are. `residuals` are |r| / |b| from 1 on.
bool is_hopeless(const Attempt& attempt, const std::vector<double>& residuals, double tolerance, double other);

/// What a solve that was given up would have cost in all, at the rate of the last half of its iterations; infinite
/// where |r| did not fall.
double expected_cost(const Attempt& attempt, const std::vector<double>& residuals, double tolerance);

}  // namespace miniapp::solver
