// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/indirect/plan.hpp"

namespace miniapp::indirect {

/// Checks the arrays of a plan by themselves: lengths, the range of every index, offsets that do not decrease. Returns
/// the first defect, or an empty string. A plan that passes never accesses memory out of bounds on a map of its sizes;
/// check_plan() tells whether the result is right. O(positions * arity + targets).
std::string check_arrays(const PlanArrays& plan);

/// Checks a plan against its `map`: every increment is added exactly once, and no two are added to the same target
/// concurrently without atomics. (A run with one thread cannot reveal the latter.) Returns the first defect, or an
/// empty string. After check_arrays() it checks:
///   - each element runs once (owner: once in each block that owns one of its targets);
///   - staged: each increment occurs once, in the row of its target;
///   - global: no two elements of a colour share a target;
///   - hierarchical and owner: places in scratch correspond to the map's targets, and each increment of a block occurs
///     once, in the row of its target;
///   - hierarchical: no two elements of a thread colour of a block share a target; no two blocks of a launch share one,
///     or, with atomic additions, it is marked as shared;
///   - owner: the rows of a target hold all increments of the map.
/// Elements, blocks, colours and targets are counted from 1 in messages. O(positions * arity + targets).
std::string check_plan(const PlanArrays& plan, const Map& map);

}  // namespace miniapp::indirect
