// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/graph/reorder.hpp"
#include "miniapp/indirect/plan.hpp"

/// Plans as files. The format has its own version number, 2; integers are little-endian on every machine:
///
///   "miniapp plan 2\n"
///   u64  hash of the map before it was ordered
///   i32[] offsets and i32[] entries of the ordering's elements (Blocks), i32[] its new indices of targets
///   u8   strategy: 0 serial, 1 atomic, 2 staged, 3 global, 4 hierarchical, 5 owner
///   u8   in block: 0 colours, 1 gather      u8  write back: 0 colours, 1 atomic      u8  staging: 0 all, 1 increments
///   i32  block size     i32  arity     i64  from-size     i64  to-size     u64  hash of the map in the plan's order
///   the arrays of PlanArrays in their order: i32[] order, colour_offsets, launch_order, first_position, first_target,
///     targets; u16[] local; u8[] thread_colour, thread_colours; i32[] first_row; u16[] rows; i32[] row_offsets,
///     row_entries
///   u64  FNV-1a of all bytes before it
///
/// where an array is a u64, its number of entries, followed by the entries.
namespace miniapp::indirect {

/// The expensive results of planning: an ordering of a map, and the plan of the map in that order.
struct SavedPlan {
  std::uint64_t map_hash = 0;  ///< hash of the map before it was ordered
  graph::Ordering ordering;
  PlanArrays plan;
};

/// Rejects a path that save_plan() could not write, or that holds a file of another kind; creates nothing. Errors:
/// InputError naming --save-plan.
void require_plan_path(const std::string& path);

/// Writes a plan and replaces an existing one. Errors: InputError as require_plan_path(); ResultError where writing
/// fails, the existing file then stays.
void save_plan(const std::string& path, const SavedPlan& saved);

/// Reads what save_plan() wrote. Every index is checked to be in its range (check_arrays), so that a loaded plan never
/// crashes; check_plan() tells whether it is right for a map. Errors: InputError `PATH: reason; accepted is ...`.
SavedPlan load_plan(const std::string& path);

/// Reads a file's contents; errors name `source`.
SavedPlan parse_plan(const std::string& bytes, const std::string& source);

}  // namespace miniapp::indirect
