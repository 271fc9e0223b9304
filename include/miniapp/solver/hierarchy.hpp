// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace miniapp::solver {

/// A level of algebraic multigrid.
struct AmgLevel {
  std::int64_t unknowns = 0;
  std::int64_t entries = 0;       ///< stored entries of its matrix
  double largest_eigenvalue = 0;  ///< estimate of the largest one of D^-1 A
};

/// What records and pages say of a preconditioner by algebraic multigrid.
struct Hierarchy {
  std::vector<AmgLevel> levels;  ///< from the finest to the coarsest
  double grid_complexity = 1, operator_complexity = 1;
  double bytes = 0;    ///< memory
  std::string remark;  ///< empty, or what is unusual: that the coarsest level is not solved directly
};

/// A hierarchy with its complexities: unknowns, entries of matrices, of all levels over those of the first.
inline Hierarchy make_hierarchy(std::vector<AmgLevel> levels, double bytes, std::string remark = {}) {
  double unknowns = 0, entries = 0;
  for (const AmgLevel& level : levels) {
    unknowns += double(level.unknowns);
    entries += double(level.entries);
  }
  const AmgLevel first = levels.front();
  return {std::move(levels), unknowns / double(first.unknowns), entries / double(first.entries), bytes,
          std::move(remark)};
}

}  // namespace miniapp::solver
