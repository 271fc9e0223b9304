// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

#include "miniapp/core/names.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/solver/cg.hpp"

/// What `miniapp solver` solves with.
namespace miniapp::solver {

/// How CG iterates.
enum class CgMethod {
  cg,            ///< fused_cg() with pointwise preconditioners, cg() with others
  pipelined_cg,  ///< pipelined_cg(), with pointwise preconditioners
};
/// Names in records; options say fused and pipelined.
constexpr auto names(CgMethod) { return std::array{"cg", "pipelined-cg"}; }

/// What preconditions CG.
enum class PreconditionerKind {
  none,
  jacobi,
  amg,              ///< a cycle of Amg; on several ranks of BoomerAmg, over all of them
  block_amg,        ///< a cycle of Amg on the rows of each rank
  ilu0_level,       ///< ILU(0), substitution by levels
  ilu0_chow_patel,  ///< ILU(0) by sweeps, applied by truncated Neumann series
  ic0_chow_patel,   ///< incomplete Cholesky factors by the same sweeps
};
constexpr auto names(PreconditionerKind) {
  return std::array{"none", "jacobi", "amg", "block-amg", "ilu0-level", "ilu0-chow-patel", "ic0-chow-patel"};
}

/// Whether M^-1 r is computed entry by entry, so that loops of CG can do it.
constexpr bool is_pointwise(PreconditionerKind kind) {
  return kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi;
}
constexpr bool has_sweeps(PreconditionerKind kind) {
  return kind == PreconditionerKind::ilu0_chow_patel || kind == PreconditionerKind::ic0_chow_patel;
}

/// Whether a preconditioner is the program's own multigrid, on so many ranks.
constexpr bool is_own_amg(PreconditionerKind kind, int ranks) {
  return kind == PreconditionerKind::block_amg || (kind == PreconditionerKind::amg && ranks == 1);
}
/// Whether each rank has a preconditioner of its own rows alone.
constexpr bool is_of_own_rows(PreconditionerKind kind, int ranks) {
  return ranks > 1 && !is_pointwise(kind) && kind != PreconditionerKind::amg;
}

/// Why this build cannot run a preconditioner on so many ranks; empty where it can.
std::string why_not(PreconditionerKind kind, int ranks = 1);

/// A method with its preconditioner.
struct SolveSettings {
  CgMethod method = CgMethod::cg;
  PreconditionerKind preconditioner = PreconditionerKind::none;
  AmgOptions amg;
  Precision amg_precision = Precision::fp32;  ///< precision of the cycle; that of the solve where that is single
  int sweeps = 3;                             ///< sweeps of Chow and Patel
  int neumann = 2;                            ///< terms of the series after the first
  CgOptions cg{1e-8, 10000, {}};
};

/// What an iteration asks of the device.
struct IterationCost {
  double launches = 0;
  double reads = 0;  ///< reads of numbers by the host, which waits for them
  double words = 0;  ///< words of vectors per unknown, without those of A x
};

/// The cost of a method with a pointwise preconditioner, as fused_cg.hpp and pipelined_cg.hpp state it; Jacobi's
/// diagonal is read in two of the loops.
IterationCost iteration_cost(const SolveSettings& settings);

/// The cost of CG by a library of vector operations: a product, two sums, each of two launches, and three updates, as
/// in "Performance Modeling: Conjugate Gradients" of K. Rupp's slides on ViennaCL.
constexpr IterationCost textbook_cost{8, 2, 2 + 3 + 3 + 2 + 3};

}  // namespace miniapp::solver
