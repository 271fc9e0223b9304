// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/frontend/options.hpp"
#include "apps/report/suite.hpp"
#include "core/output_file.hpp"
#include "report/devices.hpp"

namespace miniapp::apps {

/// What `miniapp report` is asked to do.
struct ReportArguments {
  Size size = Size::small;
  std::string output = "miniapp-report.html", json, figures;
  std::vector<std::string> only;       ///< names of runs; none: all
  std::string what_if, records_given;  ///< another device; records in place of running anything
  bool list = false, restart = false, quiet = false, check = false;

  /// The file of records, beside the page unless --json names another.
  std::string records() const;
  /// The files to write. Errors: InputError where one cannot be written, or holds something else.
  ReplacedFile page_file() const, records_file() const, figures_file() const;
};

void add_options(Options& options, ReportArguments& arguments);

/// The checked arguments with the runs that they ask for.
struct ReportOptions : ReportArguments {
  std::vector<Entry> entries;
  std::optional<report::Device> other;  ///< the device that --what-if names; none without it
};

/// Checks every argument, and the files to write. Errors: InputError naming the option, its value and what is accepted.
ReportOptions check(const ReportArguments& arguments, const Options& options);

}  // namespace miniapp::apps
