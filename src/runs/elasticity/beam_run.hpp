// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "miniapp/measure/roofs.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/solver/hierarchy.hpp"
#include "runs/elasticity/settings.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::elasticity {

/// A deflection beside beam theory's.
struct Comparison {
  double expected = 0;              ///< deflection by theory [m]
  double error = 0;                 ///< difference of the two, relative to theory's
  std::optional<double> tolerance;  ///< largest error accepted; empty where theory gives none
  bool failed() const { return tolerance && !(error <= *tolerance); }
};

/// Results for a cantilever of one order, whose element matrices one method computed; of all ranks together.
struct BeamResult {
  Method method;
  Cantilever beam;
  std::int64_t elements = 0, dofs = 0, blocks = 0;  ///< blocks between ranks count on each of them
  double matrix_error = 0;                          ///< error / tolerance of element matrices
  double matrix_tolerance = 0;                 ///< error allowed in element matrices, relative to their largest entry
  std::optional<solver::Hierarchy> hierarchy;  ///< levels of amg
  std::optional<solver::CgResult> cg;          ///< nothing where it was not asked for, or broke down
  std::string breakdown;                       ///< why CG broke down
  std::string single_breakdown;                ///< why it did with cycles in single precision, before this solve
  double deflection = 0;                       ///< mean deflection of the end [m]
  Comparison theory;
  measure::Phases phases;
  space::OfRanks of_ranks;
  measure::Sample apply, iteration;  ///< times of y = A x, of an iteration of CG [s]
  double model_bytes = 0;            ///< bytes that y = A x moves at least
  measure::MemoryRoof roof;

  bool matrices_right() const { return matrix_error <= 1; }
};

/// Assembles the beam from verified element matrices, solves it and times the solver; stops where a step is wrong.
/// Collective: on several ranks each has a part of the cells.
BeamResult run_beam(const BeamSettings& settings, int order, Method method);

}  // namespace miniapp::elasticity
