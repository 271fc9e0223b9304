// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "streaming/suite.hpp"

namespace miniapp::apps {

/// The arguments of the command line, as given.
struct StreamingArguments {
  std::vector<std::string> bs, order;
  std::string min_bytes = "1k", max_bytes = "1G", mesh, mask = "none", layout = "auto", numbering = "lines",
              precision = "double", json;
  int samples = 100, elements = 0, repeat = 20;
  bool quiet = false;
};

void add_options(Options& options, StreamingArguments& arguments);

/// The same, checked and completed.
struct StreamingOptions : streaming::SuiteSettings {
  std::vector<int> tests, orders;
  bool quiet;
  std::string json;
};

/// Checks every argument, and the memory that the largest sizes need. Errors: InputError naming the option, its value
/// and what is accepted.
StreamingOptions check(const StreamingArguments& arguments, const Options& options);

}  // namespace miniapp::apps
