// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "runs/elasticity/system_run.hpp"

namespace miniapp::elasticity {

/// A deflection beside beam theory's.
struct Comparison {
  double expected = 0;              ///< deflection by theory [m]
  double error = 0;                 ///< difference of the two, relative to theory's
  std::optional<double> tolerance;  ///< largest error accepted; empty where theory gives none
  bool failed() const { return tolerance && !(error <= *tolerance); }
};

/// Results for a cantilever of one order.
struct BeamResult : SystemResult {
  Cantilever beam;
  double deflection = 0;  ///< mean deflection of the end [m]
  Comparison theory;
};

/// Assembles the beam from verified element matrices, solves it and times the solver; stops where a step is wrong.
/// Collective: on several ranks each has a part of the cells.
BeamResult run_beam(const BeamSettings& settings, int order, Method method);

}  // namespace miniapp::elasticity
