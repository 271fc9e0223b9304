// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "apps/solver/options.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/measure/roofs.hpp"

namespace miniapp::apps {

MemoryNeed memory_need(const SolverOptions& o, const MatrixChoice& choice) {
  const double ranks = o.ranks.size(), word = word_bytes(o.precision);
  const double n = choice.unknowns() / ranks, entries = choice.entries() / ranks;
  if (n == 0) return {};
  const double rows = 12 * entries + 4 * n;
  // columns of generated matrices are mostly those of diagonals
  const double slices = entries * (choice.kind == MatrixKind::file ? word + 4 : 1.04 * word + 0.5);
  double most = std::min(slices + 2 * word * n, measure::most_copied());  // the copy roof
  for (const solver::SolveSettings& s : o.solves()) {
    auto [per_unknown, per_entry] = solver::preconditioner_bytes(s.preconditioner);
    if (solver::is_own_amg(s.preconditioner) && s.amg.block > 1) {
      // whole blocks and the prolongator's smoother: cantilevers of 5e4 unknowns, --block 2 and 3 --near-null rigid
      per_unknown += 16 * o.near_null.modes();
      per_entry += 24;
    }
    most = std::max(most, (8 + 6 * word + per_unknown) * n + per_entry * entries);  // b twice, x, r, p, q, z
  }
  const double compared = runs_on_host ? 0 : rows + 24 * n;  // on the host
  return {measure::program_bytes + compared, rows + slices + most};
}

}  // namespace miniapp::apps
