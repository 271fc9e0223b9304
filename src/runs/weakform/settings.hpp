// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/graph/reorder.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/weakform/case.hpp"

/// What a run of weak forms is told.
namespace miniapp::weakform {

constexpr auto descriptions(LinearPreconditioner) {
  return std::array{"z = r", "the diagonal of the Jacobian", "a cycle of algebraic multigrid, kept while it serves"};
}

/// A configuration in which a form runs: a strategy with what tunes it, on a mesh in this order.
struct Way {
  Options options;
  graph::Reorder reorder = graph::Reorder::none;
  bool automatic = false;  ///< whether an entry of a tuning table replaces the options
};

/// What `auto` stands for. Fans load and add to a third of the nodes. On hosts this pays where they have all their
/// cells, as on generated meshes, since lanes compute those that a fan lacks as well; and where residuals are timed,
/// since making fans takes longer than a plan of tiles, by about 150 residuals (docs/results/weakform.md).
constexpr Strategy usual_strategy(bool generated, bool solve) {
  return runs_on_host && (!generated || solve) ? Strategy::tiles : Strategy::fans;
}

/// Whether a strategy has blocks of cells or nodes, whose size then matters.
constexpr bool has_blocks(Strategy strategy) { return strategy == Strategy::tiles || strategy == Strategy::owner; }

/// Strategies that are timed: all but the reference.
std::vector<Strategy> timed_strategies();

/// What all forms and configurations of a run share.
struct FormSettings {
  int dim = 3;
  Precision precision = Precision::fp64;
  std::array<int, 3>
      sides{};  ///< sides of a generated mesh: squares or cubes along x, y and z, each cut into simplices
  bool shuffle = false;
  measure::Repeat repeat{};
  bool verify_only = false;
  bool solve = false;  ///< whether Newton's method solves the form, instead of timing residuals
  NewtonOptions newton = {};
  UserProblem user = {};        ///< where it has data, instead of the known solution
  bool keeps_solution = false;  ///< whether the result has the solution and its residual
  Communicator ranks = {};      ///< ranks over which the cells are distributed
  graph::Partition partition = graph::Partition::rcb;

  /// Squares or cubes of a generated mesh.
  double boxes() const { return double(sides[0]) * sides[1] * sides[2]; }
};

}  // namespace miniapp::weakform
