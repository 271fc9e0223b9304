// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/devices.hpp"
#include "report/record.hpp"

/// What records say of a machine that one does not have. A record has what its operation cannot do without, bytes,
/// multiplications, bytes in scratch, and the part of its bound that it reached. On another device the bound is another
/// (docs/conventions.md), and the part of it that is reached is taken to be the same.
namespace miniapp::report {

/// The time of a record that its bound is of, and the same on the other device.
// NOLINTNEXTLINE(bugprone-exception-escape): moves of JSON do not throw
struct Projected {
  Json record;                 ///< whose operation it is
  std::string name;            ///< of the operation, in words
  double here = 0, there = 0;  ///< time [s]
  double fraction = 0;         ///< of the bound, on both
  std::string bound_by, there_bound_by;
  bool in_cache = false;  ///< what it moves fits the last-level cache there, so that it may be faster
  bool fits = true;       ///< its arrays fit the memory there, as far as is known

  double speed_up() const { return here / there; }
};

/// One operator by each source of its geometry, the fastest kernel of each.
struct GeometryChoice {
  struct Way {
    std::string geometry, here_kernel, there_kernel;
    double here = 0, there = 0;  ///< time of the operator [s]
    double bound_there = 0;      ///< the least of its kernels [s]
  };
  std::string name;
  std::vector<Way> ways;  ///< the fastest there first
  /// The geometry that wins here.
  const Way& winner_here() const;
  /// The geometry of the least bound there, which wins there if all reach the same part of it.
  const Way& winner_by_bound() const;
};

/// Records of one module that cannot be projected, and why.
struct LeftOut {
  std::string reason;
  int count = 0;
};

struct WhatIf {
  std::vector<Projected> times;
  std::vector<GeometryChoice> geometries;  ///< of operators with at least two ways
  std::vector<LeftOut> left_out;
};

/// Records without a bound, such as those of `info` and of solves of weak forms, count as nothing.
WhatIf what_if(const std::vector<Json>& records, const Device& device);

/// The geometric mean of the speed-ups of a module's times, all modules' where it is empty; none without times.
std::optional<double> mean_speed_up(const WhatIf& projection, const std::string& module);

/// What a projection takes for granted, a sentence each.
std::vector<std::string> assumptions(const Device& device);

}  // namespace miniapp::report
