// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/indirect/plan.hpp"
#include "miniapp/indirect/reorder.hpp"

namespace miniapp::indirect {

/// What a plan took long to find: an order of a map, and the plan of the map in that order.
struct SavedPlan {
  std::uint64_t map_hash = 0;  ///< of the map before it was ordered
  Ordering ordering;
  PlanArrays plan;
};

/// Writes a plan: "miniapp plan 1\n", arrays with their sizes, and the FNV-1a of all that. In the byte order of this
/// machine. Errors: InputError `PATH: reason`.
void save_plan(const std::string& path, const SavedPlan& saved);

/// Reads what save_plan() wrote. Errors: InputError `PATH: reason` where it cannot be read, is no plan, was made by
/// another version, ends early, or was changed.
SavedPlan load_plan(const std::string& path);

}  // namespace miniapp::indirect
