// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/graph/bisection.hpp"
#include "miniapp/indirect/detail/block_kernel.hpp"
#include "miniapp/indirect/plan.hpp"

namespace miniapp::indirect {

/// A plan of Strategy::owner on the device: those arrays of PlanArrays that it uses.
struct OwnerPlan {
  PlanOptions options;
  int arity = 0;
  std::size_t from_size = 0, to_size = 0;
  Vector<Index> order, first_position, first_target, targets, first_row;
  Vector<std::uint16_t> local;
  Vector<RowUnit> rows;
};

/// The plan of make_plan, entry by entry, but computed on the device by sorts, scans and loops over
/// entries. Errors: InputError, as make_plan.
OwnerPlan make_owner_plan(const graph::DeviceMap& map, const PlanOptions& options);

PlanFigures figures(const OwnerPlan& plan);

/// A host copy; `map` is the map that the plan is for.
PlanArrays copy_to_host(const OwnerPlan& plan, const Map& map);

}  // namespace miniapp::indirect
