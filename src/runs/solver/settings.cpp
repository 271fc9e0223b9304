// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/settings.hpp"

#include "miniapp/solver/fused_cg.hpp"

namespace miniapp::solver {

IterationCost iteration_cost(const SolveSettings& settings) {
  const bool pipelined = settings.method == CgMethod::pipelined_cg;
  const double diagonals = settings.preconditioner == PreconditionerKind::jacobi ? 2 : 0;
  constexpr int check_every = DeviceCgWorkspace<double>::usual_check_every;
  return {pipelined ? 2. : 3., 1. / check_every, (pipelined ? 7 : update_words(check_every) + 3) + diagonals};
}

}  // namespace miniapp::solver
