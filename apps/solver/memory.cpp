// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "apps/solver/options.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/measure/roofs.hpp"

namespace miniapp::apps {
namespace {

using solver::PreconditionerKind;

/// What a preconditioner takes while it is made or applied, per unknown and per entry [bytes], hypre's on 4 ranks:
///   miniapp solver --matrix poisson2d|poisson3d --unknowns 1M --preconditioner .. --tolerance 0.1 --repeat 1
std::array<double, 2> preconditioner_bytes(PreconditionerKind kind, int ranks) {
  if (solver::is_own_amg(kind, ranks)) return {160, 17};
  if (kind == PreconditionerKind::amg) return {8, 80};
  if (kind == PreconditionerKind::ilu0_level) return {48, 52};
  if (has_sweeps(kind)) return {48, 18};
  return {kind == PreconditionerKind::jacobi ? 16. : 0, 0};
}

}  // namespace

MemoryNeed memory_need(const SolverOptions& o, const MatrixChoice& choice) {
  const double ranks = o.ranks.size(), word = word_bytes(o.precision);
  const double n = choice.unknowns() / ranks, entries = choice.entries() / ranks;
  if (n == 0) return {};
  const double rows = 12 * entries + 4 * n;
  // columns of generated matrices are mostly those of diagonals
  const double slices = entries * (choice.kind == MatrixKind::file ? word + 4 : 1.04 * word + 0.5);
  double most = std::min(slices + 2 * word * n, measure::most_copied);  // the copy roof
  for (const solver::SolveSettings& s : o.solves()) {
    const auto [per_unknown, per_entry] = preconditioner_bytes(s.preconditioner, o.ranks.size());
    most = std::max(most, (8 + 6 * word + per_unknown) * n + per_entry * entries);  // b twice, x, r, p, q, z
  }
  const double compared = runs_on_host ? 0 : rows + 24 * n;  // on the host
  return {measure::program_bytes + compared, rows + slices + most};
}

}  // namespace miniapp::apps
