// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/cg.hpp"
#include "runs/solver/preconditioner.hpp"

/// What `miniapp solver` solves with.
namespace miniapp::solver {

/// How CG iterates.
enum class CgMethod {
  cg,            ///< fused_cg() with pointwise preconditioners, cg() with others
  pipelined_cg,  ///< pipelined_cg(), with pointwise preconditioners
};
/// Names in records; options say fused and pipelined.
constexpr auto names(CgMethod) { return std::array{"cg", "pipelined-cg"}; }

/// A method with its preconditioner.
struct SolveSettings : PreconditionerSettings {
  CgMethod method = CgMethod::cg;
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
