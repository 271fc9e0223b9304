// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace miniapp::solver {
namespace {

/// Searches breadth first from a row through its piece of the graph. Marks rows by `mark` in `seen`; returns how many
/// steps the last one is away, which is left in `last`.
template <class Block>
int search(const Block& offsets, const Block& columns, Index from, int mark, std::vector<int>& seen,
           std::vector<Index>& queue, Index& last) {
  int steps = -1;
  queue.assign(1, from);
  seen[static_cast<std::size_t>(from)] = mark;
  for (std::size_t done = 0, end = 1; done < end; end = queue.size(), ++steps)
    for (; done < end; ++done)
      for (Index e = offsets(queue[done]); e < offsets(queue[done] + 1); ++e)
        if (int& mark_of = seen[static_cast<std::size_t>(columns(e))]; mark_of != mark) {
          mark_of = mark;
          queue.push_back(columns(e));
        }
  last = queue.back();
  return steps;
}

/// The longest of the shortest paths of a piece of the graph, about: from a row to the farthest, and from there.
Index longest_path(const linalg::CsrMatrix<double>& matrix) {
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  std::vector<int> seen(static_cast<std::size_t>(matrix.num_rows), 0);
  std::vector<Index> queue;
  int longest = 0;
  for (Index row = 0; row < matrix.num_rows; ++row) {  // pieces without couplings, one after the other
    if (seen[static_cast<std::size_t>(row)] != 0) continue;
    Index far = row;
    search(offsets, columns, row, 1, seen, queue, far);
    longest = std::max(longest, search(offsets, columns, far, 2, seen, queue, far));
  }
  return longest;
}

/// The longest path of a square grid of as many rows, or of a cube where rows have six entries or more: on a GPU the
/// search would take ten times as long as CG.
Index path_in_a_grid(const linalg::CsrMatrix<double>& matrix) {
  const double rows = matrix.num_rows;
  const bool is_solid = double(matrix.num_entries()) >= 6 * rows;
  return static_cast<Index>(is_solid ? 3 * std::cbrt(rows) : 2 * std::sqrt(rows));
}

}  // namespace

MatrixShape measure_shape(const linalg::DistributedMatrix& matrix) {
  const linalg::CsrMatrix<double> own = matrix.own;
  double dominance = 1, least = std::numeric_limits<double>::infinity(), most = 0;
  Kokkos::parallel_reduce(
      "solver/shape", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(0, own.num_rows),
      KOKKOS_LAMBDA(const Index row, double& dominance_of, double& least_of, double& most_of) {
        double diagonal = 0, others = 0;
        for (Index e = own.offsets(row); e < own.offsets(row + 1); ++e) {
          const double value = own.values(e);
          if (own.columns(e) == row)
            diagonal += value;
          else
            others += value < 0 ? -value : value;
        }
        const double here = (diagonal - others) / diagonal;
        dominance_of = here < dominance_of ? here : dominance_of;
        least_of = diagonal < least_of ? diagonal : least_of;
        most_of = diagonal > most_of ? diagonal : most_of;
      },
      Kokkos::Min<double>(dominance), Kokkos::Min<double>(least), Kokkos::Max<double>(most));
  dominance = std::min(dominance, 1.);
  const Index longest = runs_on_host ? longest_path(own) : path_in_a_grid(own);
  const Communicator& ranks = matrix.ranks;
  return {ranks.sum(double(matrix.num_entries())) / ranks.sum(double(own.num_rows)),
          double(ranks.of_all(Reduction::max, std::int64_t(longest))), ranks.of_all(Reduction::min, dominance),
          ranks.of_all(Reduction::min, least) == ranks.of_all(Reduction::max, most)};
}

std::vector<Attempt> predict_costs(const MatrixShape& shape, double tolerance, double product, int ranks,
                                   bool multigrid_fits) {
  const double digits = -std::log10(tolerance) / 8;
  double iterations = std::max(5., 0.9 * shape.diameter * std::max(0.5, digits));
  if (shape.dominance > 0)  // eigenvalues of D^-1 A lie between it and 2 less it
    iterations = std::min(iterations, std::log(2 / tolerance) / 2 * std::sqrt(2 / shape.dominance - 1));
  std::vector<Attempt> costs{
      {shape.same_diagonal ? PreconditionerKind::none : PreconditionerKind::jacobi, 0, 1, iterations}};
  if (!multigrid_fits || !why_not(PreconditionerKind::amg, ranks).empty()) return costs;
  const double fixed = runs_on_host ? 0 : 0.02 / (1.3 * product);
  costs.push_back({PreconditionerKind::amg, 30 * shape.entries + fixed, 7, 10 * digits});
  if (costs[1].total() < costs[0].total()) std::swap(costs[0], costs[1]);
  return costs;
}

double expected_cost(const Attempt& attempt, const std::vector<double>& residuals, double tolerance) {
  const std::size_t done = residuals.size() - 1, half = done / 2;
  const double rate = std::log(residuals[half] / residuals[done]) / double(done - half);
  if (!(rate > 0)) return std::numeric_limits<double>::infinity();
  return attempt.set_up + (double(done) + std::log(residuals[done] / tolerance) / rate) * attempt.iteration;
}

bool is_hopeless(const Attempt& attempt, const std::vector<double>& residuals, double tolerance, double other) {
  const double spent = double(residuals.size() - 1) * attempt.iteration,
               expected = attempt.iterations * attempt.iteration;
  const double patience = attempt.set_up > 0         ? 3 * expected
                          : attempt.total() <= other ? std::min(0.6 * expected, other / 2)
                                                     : other / 8;
  return spent >= std::max(patience, 2 * attempt.iteration) &&
         expected_cost(attempt, residuals, tolerance) - attempt.set_up - spent > other;
}

}  // namespace miniapp::solver
