// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/indirect/plan.hpp"

namespace miniapp::indirect {

/// What is wrong with the arrays of a plan by themselves, empty where nothing is: lengths, ranges of every index,
/// offsets that decrease. A plan that passes is run without a crash on any map of its sizes; whether the result is
/// right, check_plan() tells. O(positions * arity + targets).
std::string check_arrays(const PlanArrays& plan);

/// What is wrong with a plan of `map`, empty where nothing is: whether every increment is added, once, and no two are
/// added to one target at the same time without an atomic addition. One thread cannot see the latter in a result.
/// Checked are, after check_arrays():
///   - each element runs once (owner: once in each block that owns one of its targets);
///   - staged: each increment stands once, in the row of its target;
///   - global: no two elements of a colour share a target;
///   - hierarchical and owner: places in scratch stand for the map's targets, and rows name each increment of a block
///     once, in the row of its target;
///   - hierarchical: no two elements of a thread colour of a block share a target; no two blocks of a launch share one,
///     or, with atomic additions, it is marked as shared;
///   - owner: the rows of a target hold all increments of the map.
/// Elements, blocks, colours and targets are counted from 1 in messages. O(positions * arity + targets).
std::string check_plan(const PlanArrays& plan, const Map& map);

}  // namespace miniapp::indirect
