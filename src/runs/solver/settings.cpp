// SPDX-License-Identifier: BSD-3-Clause
#include "runs/solver/settings.hpp"

#include "miniapp/solver/boomer_amg.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/level_ilu.hpp"

namespace miniapp::solver {

std::string why_not(PreconditionerKind kind, int ranks) {
  if (kind == PreconditionerKind::ilu0_level && !has_kokkos_kernels())
    return "this build has no Kokkos Kernels; accepted are none, jacobi, amg, block-amg, ilu0-chow-patel, "
           "ic0-chow-patel";
  if (const std::string reason = why_no_amg(ranks); kind == PreconditionerKind::amg && !reason.empty())
    return reason + "; accepted are none, jacobi, block-amg, ilu0-chow-patel, ic0-chow-patel";
  return "";
}

IterationCost iteration_cost(const SolveSettings& settings) {
  const bool pipelined = settings.method == CgMethod::pipelined_cg;
  const double diagonals = settings.preconditioner == PreconditionerKind::jacobi ? 2 : 0;
  return {pipelined ? 2. : 3., 1. / DeviceCgWorkspace<double>::usual_check_every, (pipelined ? 7 : 6 + 3) + diagonals};
}

}  // namespace miniapp::solver
