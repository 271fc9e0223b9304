// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/options.hpp"
#include "miniapp/core/device.hpp"
#include "runs/streaming/suite.hpp"

namespace miniapp::apps {

/// What `miniapp streaming` is to do, checked and completed.
struct StreamingOptions : streaming::SuiteSettings, OutputOptions {
  std::vector<int> tests{1, 2, 3, 4, 5, 6, 7}, orders{7};
};

/// The arguments of the command line, as given: those that need no other to be understood, and the words of the rest.
struct StreamingArguments {
  StreamingOptions direct;  ///< settings that options set themselves
  std::vector<std::string> bs, order;
  std::string min_word = "1k", max_word = runs_on_host ? "250M" : "1G", box, indexing = "auto";
};

void add_options(Options& options, StreamingArguments& arguments);

/// Checks every argument, and the memory that the largest sizes need. Errors: InputError naming the option, its value
/// and what is accepted.
StreamingOptions check(const StreamingArguments& arguments, const Options& options);

}  // namespace miniapp::apps
