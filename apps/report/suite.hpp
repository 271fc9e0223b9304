// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/suite.hpp"

/// The suite of `miniapp report`: command lines of this program, and what they answer.
namespace miniapp::apps {

using report::Json;

enum class Size { smoke, small, medium, large, full };
constexpr auto names(Size) { return std::array{"smoke", "small", "medium", "large", "full"}; }
constexpr auto descriptions(Size) {
  return std::array{"seconds, for CI; figures say nothing", "within a minute", "minutes", "an hour",
                    "large and the papers' tables, inputs/*.toml: hours"};
}

/// How the figure of a run is taken from its record; larger is better.
struct Figure {
  const char *formula, *unit;
  double (*of)(const Json& record);
  Json (*sample)(const Json& record);  ///< its time, {min, median, max}; null where it has none
  bool has_bound = true;               ///< whether the record's bound is that of this figure
};

/// A run of the suite.
struct Entry {
  std::string name, part, group;   ///< part: of the figure of merit, or empty
  std::vector<std::string> words;  ///< words of the command line, without the program's name
  std::string question;            ///< what it answers
  const Figure* figure = nullptr;  ///< null: it has only its verdict
  int order = 0;                   ///< that the build must have; 0: any
  bool takes_ranks = true;

  std::string command_line() const;
};

/// The device whose sizes are asked for. The suite is of `cores` hosts' cores or GPUs; a size is that of each.
struct SuiteDevice {
  bool is_host;
  double cores;
  double cache;  ///< the last-level cache of each [bytes]
};

/// All runs of a size, in the order in which they run. Where a run measures bandwidth it works on more than four times
/// the caches, but for smoke.
std::vector<Entry> suite(Size size, const SuiteDevice& device);

/// The named inputs of --check, small or medium (docs/expected.md), whatever the device.
std::vector<Entry> expected_runs(Size size);

}  // namespace miniapp::apps
