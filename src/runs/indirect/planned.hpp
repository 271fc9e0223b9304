// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "miniapp/indirect/case.hpp"
#include "miniapp/indirect/plan_file.hpp"
#include "miniapp/indirect/state.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "runs/indirect/combination.hpp"
#include "space/of_ranks.hpp"

/// A loop from its case to its figures: the serial loop's result, an order, a plan, and the loop run by it, verified
/// and timed.
namespace miniapp::indirect {

/// A case with the increments that the serial loop makes, on several ranks each its own, summed over copies.
struct Problem {
  /// Runs the serial loop, in the precision that others are to have. Collective, as all that follows, where ranks share
  /// targets.
  Problem(LoopKind kind, Precision precision, Case data);

  LoopKind kind;
  Precision precision;
  Case data;
  std::vector<double> expected;
  double tolerance, bytes;                 ///< figures of all ranks; bytes: that the paper counts
  std::int64_t num_elements, num_targets;  ///< entities of all ranks, each once
  std::vector<char> owned;                 ///< (target): whether no lower rank has it; empty on one rank
};

/// Figures of plans that differ from rank to rank: the largest counts, the means of the rest. Collective.
PlanFigures of_all(PlanFigures figures, const Communicator& ranks);

/// An ordered case with its plan. Layouts share it.
struct Planned {
  Combination how;
  std::string reorder;
  std::shared_ptr<const graph::Ordering> ordering;
  Case data;
  PlanArrays plan;
  measure::Phases phases;
};

/// A plan that was made before, and the time that reading it took.
struct LoadedPlan {
  /// Errors: InputError, as load_plan().
  explicit LoadedPlan(const std::string& path) : saved(phases.time("load", [&] { return load_plan(path); })) {}
  measure::Phases phases;
  SavedPlan saved;
};

/// A case ordered and planned by it. Errors: InputError where it is not one of this problem.
Planned make_planned(const LoadedPlan& loaded, const Problem& problem);

/// What save_plan() takes.
SavedPlan to_save(const Planned& planned, const Problem& problem);

/// Numbers elements as they run wherever each runs once, so that kernels need no list of them, and checks the plan as
/// it runs then, since on one thread a wrong plan gives a right result too. Returns what is wrong, on all ranks the
/// same; empty where nothing is.
std::string finish(Planned& planned);

/// Makes plans. Keeps the last order with its time: METIS takes far longer than all else, and strategies share it.
class Planner {
 public:
  explicit Planner(const Problem& problem) : problem_(problem) {}
  /// Errors: InputError, on all ranks the same.
  Planned make(const Combination& how);

 private:
  Planned make_own(const Combination& how);
  Planned make_on_device(const Combination& how) const;
  std::shared_ptr<const graph::Ordering> ordering(const Combination& how);

  const Problem& problem_;
  std::tuple<graph::Reorder, int, bool> key_;  ///< what ordering_ was made for
  std::shared_ptr<const graph::Ordering> ordering_;
  measure::Phases phases_;  ///< phases of making ordering_
};

/// What was measured and found of a loop by a plan.
struct Measured {
  Combination how;
  std::string reorder;
  Layout layout;
  measure::Sample sample;
  measure::Phases phases;
  PlanFigures figures;
  TeamResources resources;
  space::OfRanks of_ranks;
  double bytes = 0,
         least_bytes = 0;       ///< bytes of one run on all ranks: as the paper counts them, and at least by the plan
  double lines = 0, error = 0;  ///< error: relative to the tolerance
  std::vector<double> increments;  ///< the result in the order of the case, where it is kept
  double norm = 0;                 ///< norm of the result: the root of the sum of squares, each target once
};

/// Binds the loop to a device, verifies it against the serial one, and times `iterations` runs, if so often is given.
/// On several ranks the slowest counts. `keep`: the increments too.
Measured measure_loop(const Problem& problem, const Planned& planned, Layout layout, int iterations,
                      const std::optional<measure::Repeat>& repeat, bool keep);

/// A field of the increments, summed over the targets of all ranks, each once.
struct FieldSums {
  std::string name;
  std::vector<double> sums;  ///< (component)
  double norm;               ///< root of the sum of squares
};

/// The sums of the fields of a result in the order of the case. Collective.
std::vector<FieldSums> sum_fields(const Problem& problem, const std::vector<double>& increments);

}  // namespace miniapp::indirect
