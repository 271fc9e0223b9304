// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "apps/solver/options.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/measure/roofs.hpp"

namespace miniapp::apps {
namespace {

/// Memory of multigrid at its largest, in its set-up: bytes per unknown and per entry, and words of the levels per
/// entry; fitted to peaks of poisson2d, poisson3d and lor of 10^6 unknowns.
constexpr double amg_unknown_bytes = 140, amg_entry_bytes = 7, amg_entry_words = 2.5;
/// Memory of hypre's multigrid with the rows that it is given, per entry; of grids of 250000 points on 2 and 4 ranks.
constexpr double hypre_entry_bytes = 80;
/// Memory of incomplete factors, per entry: a triangle while it is swept, or what Kokkos Kernels take of both.
constexpr double sweep_entry_bytes = 18, level_entry_bytes = 52;

/// Memory of the vectors of a solve beside b and x, and of its preconditioner.
double solve_bytes(const SolverOptions& o, const solver::SolveSettings& s, double unknowns, double entries) {
  const double word = word_bytes(o.precision);
  if (solver::is_own_amg(s.preconditioner, o.ranks.size()))
    return (5 * word + amg_unknown_bytes) * unknowns +
           (amg_entry_bytes + amg_entry_words * word_bytes(s.amg_precision)) * entries;
  if (s.preconditioner == solver::PreconditionerKind::amg) return 5 * word * unknowns + hypre_entry_bytes * entries;
  if (!is_pointwise(s.preconditioner)) {
    const bool by_levels = s.preconditioner == solver::PreconditionerKind::ilu0_level;
    return (9 * word + 8) * unknowns + (by_levels ? level_entry_bytes : sweep_entry_bytes) * entries;
  }
  return (s.preconditioner == solver::PreconditionerKind::jacobi ? 5 * word + 8 : 4 * word) * unknowns;
}

}  // namespace

MemoryNeed memory_need(const SolverOptions& o, const MatrixChoice& choice) {
  const double ranks = o.ranks.size(), word = word_bytes(o.precision);
  const double n = choice.unknowns() / ranks, entries = choice.entries() / ranks;
  if (n == 0) return {};
  double solve = 0;
  for (const solver::SolveSettings& s : o.solves()) solve = std::max(solve, solve_bytes(o, s, n, entries));
  const double rows = 12 * entries + 4 * n;
  // columns of generated matrices are mostly those of diagonals
  const double slices = entries * (choice.kind == MatrixKind::file ? word + 4 : 1.04 * word + 0.5);
  const double local = choice.kind == MatrixKind::lor ? n * (1 + 3. / choice.order) : 0;  // local nodes
  const double host = runs_on_host ? 0 : rows + 24 * n;                                   // what it is compared with
  const double compared = (3 * word + 8) * n;
  const double copied = std::min(slices + 2 * word * n, measure::most_copied);
  const double right_side = (o.precision == Precision::fp64 ? 8 : 12) * n;
  return measure::most_of(
      {{measure::program_bytes, rows + 4 * n + 72 * local},
       {measure::program_bytes + host, rows + slices + std::max(copied, compared)},
       {measure::program_bytes + host, rows + slices + right_side + word * n + std::max(solve, 2 * word * n)}});
}

}  // namespace miniapp::apps
