// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string>

#include "miniapp/core/names.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"
#include "miniapp/solver/any_preconditioner.hpp"
#include "miniapp/solver/boomer_amg.hpp"
#include "miniapp/solver/chow_patel.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/solver/level_ilu.hpp"
#include "miniapp/solver/neumann_factors.hpp"

/// All that `miniapp solver` knows of its preconditioners.
namespace miniapp::solver {

/// What preconditions CG.
enum class PreconditionerKind {
  none,
  jacobi,
  amg,              ///< a cycle of Amg
  boomer_amg,       ///< a cycle of BoomerAmg, of several ranks
  block_amg,        ///< a cycle of Amg on the rows of each rank
  ilu0_level,       ///< ILU(0), substitution by levels
  ilu0_chow_patel,  ///< ILU(0) by sweeps, applied by truncated Neumann series
  ic0_chow_patel,   ///< incomplete Cholesky factors by the same sweeps
  automatic,        ///< one of these, by automatic.hpp: none can be made before it is chosen
};
constexpr auto names(PreconditionerKind) {
  return std::array{"none",           "jacobi", "amg", "boomer-amg", "block-amg", "ilu0-level", "ilu0-chow-patel",
                    "ic0-chow-patel", "auto"};
}

/// Whether M^-1 r is computed entry by entry, so that loops of CG can do it.
constexpr bool is_pointwise(PreconditionerKind kind) {
  return kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi;
}
constexpr bool has_sweeps(PreconditionerKind kind) {
  return kind == PreconditionerKind::ilu0_chow_patel || kind == PreconditionerKind::ic0_chow_patel;
}

/// Whether a preconditioner is the program's own multigrid.
constexpr bool is_own_amg(PreconditionerKind kind) {
  return kind == PreconditionerKind::amg || kind == PreconditionerKind::block_amg;
}
/// Whether it is algebraic multigrid, the program's own or hypre's.
constexpr bool is_amg(PreconditionerKind kind) { return is_own_amg(kind) || kind == PreconditionerKind::boomer_amg; }

/// Whether each rank has a preconditioner of its own rows alone.
constexpr bool is_of_own_rows(PreconditionerKind kind, int ranks) {
  return ranks > 1 && !is_pointwise(kind) && kind != PreconditionerKind::amg && kind != PreconditionerKind::boomer_amg;
}
/// The rows that a preconditioner is of on several ranks, in records.
constexpr const char* rows_of(PreconditionerKind kind, int ranks) {
  if (is_of_own_rows(kind, ranks)) return "own rows of each rank";
  return kind == PreconditionerKind::boomer_amg ? "all rows, by hypre" : "all rows";
}

/// Why this build cannot run a preconditioner on so many ranks; empty where it can.
inline std::string why_not(PreconditionerKind kind, int ranks = 1) {
  const auto reason = [&](PreconditionerKind one) -> std::string {
    if (one == PreconditionerKind::ilu0_level && !has_kokkos_kernels()) return "this build has no Kokkos Kernels";
    return one == PreconditionerKind::boomer_amg ? why_no_boomer_amg(ranks) : "";
  };
  if (reason(kind).empty()) return "";
  std::string accepted;
  for (const PreconditionerKind other : members<PreconditionerKind>())
    if (reason(other).empty()) accepted += (accepted.empty() ? "" : ", ") + name(other);
  return reason(kind) + "; accepted are " + accepted;
}

/// What makes a preconditioner.
struct PreconditionerSettings {
  PreconditionerKind preconditioner = PreconditionerKind::none;
  AmgOptions amg;
  Precision amg_precision = Precision::fp32;  ///< precision of the cycle; that of the solve where that is single
  /// (row, mode) of multigrid; empty: ones. hypre's takes constants of each row of a node as the first modes.
  Vector<const double> near_null;
  int sweeps = 3;   ///< sweeps of Chow and Patel
  int neumann = 2;  ///< terms of the series after the first
};

/// What a preconditioner takes while it is made or applied, per unknown and per entry of the matrix [bytes], hypre's on
/// 4 ranks: miniapp solver --matrix poisson2d|poisson3d --unknowns 1M --preconditioner .. --tolerance 0.1 --repeat 1
inline std::array<double, 2> preconditioner_bytes(PreconditionerKind kind) {
  switch (kind) {
    case PreconditionerKind::none:
      return {0, 0};
    case PreconditionerKind::automatic:  // multigrid is not chosen where it does not fit
    case PreconditionerKind::jacobi:
      return {16, 0};
    case PreconditionerKind::amg:
    case PreconditionerKind::block_amg:
      return {160, 17};
    case PreconditionerKind::boomer_amg:
      return {8, 80};
    case PreconditionerKind::ilu0_level:
      return {48, 52};
    case PreconditionerKind::ilu0_chow_patel:
    case PreconditionerKind::ic0_chow_patel:
      return {48, 18};
  }
  return {};
}

/// The preconditioner that a solve has chosen. phase(name) is called when a part of its set-up begins. Collective.
/// Errors: those of its type.
template <class Real>
ChosenPreconditioner<Real> make_preconditioner(const linalg::DistributedMatrix& matrix,
                                               const PreconditionerSettings& settings,
                                               const std::function<void(const char*)>& phase) {
  const PreconditionerKind kind = settings.preconditioner;
  const auto make_in = [&](const char* name, const auto& make) {
    phase(name);
    return make();
  };
  switch (kind) {
    case PreconditionerKind::none:
      return make_any<Real, Identity>();
    case PreconditionerKind::jacobi:
      phase("diagonal");
      return make_any<Real, Jacobi<Real>>(linalg::diagonal(matrix.own));
    case PreconditionerKind::boomer_amg: {
      const auto rows = make_in("rows", [&] { return linalg::make_global_rows(matrix); });
      BoomerAmgOptions options;
      options.functions = settings.amg.block;
      const auto modes = modes_after(rows, settings.near_null, matrix.own.num_rows, options.functions);
      return make_in("hypre", [&] { return make_any<Real, BoomerAmg>(rows, options, modes); });
    }
    case PreconditionerKind::amg:
    case PreconditionerKind::block_amg: {
      AmgOptions options = settings.amg;
      options.phase = phase;
      linalg::GhostedMatrix rows = make_in("rows", [&] {
        return kind == PreconditionerKind::amg ? linalg::make_ghosted(matrix, options.block)
                                               : linalg::make_ghosted(matrix.own);
      });
      if (options.block > 1) rows.rows = make_in("blocks", [&] { return fill_blocks(rows.rows, options.block); });
      if (std::is_same_v<Real, double> && settings.amg_precision == Precision::fp64)
        return make_any<Real, Amg<Real>>(rows, options, settings.near_null);
      return make_any<Real, Amg<float>>(rows, options, settings.near_null);
    }
    case PreconditionerKind::ilu0_level: {
      const auto factors = make_in("factors", [&] { return level_ilu(matrix.own); });
      return make_in("application", [&] { return make_any<Real, LevelFactors<Real>>(factors); });
    }
    case PreconditionerKind::automatic:
      throw InputError("preconditioner", name(kind), "is chosen before it is made; accepted are the others");
    case PreconditionerKind::ilu0_chow_patel:
    case PreconditionerKind::ic0_chow_patel:
      break;
  }
  const Incomplete which = kind == PreconditionerKind::ic0_chow_patel ? Incomplete::ic0 : Incomplete::ilu0;
  const auto factors = make_in("factors", [&] { return chow_patel(matrix.own, which, settings.sweeps); });
  return make_in("application", [&] { return make_any<Real, NeumannFactors<Real>>(factors, settings.neumann); });
}

}  // namespace miniapp::solver
