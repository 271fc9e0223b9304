// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/memory.hpp"
#include "apps/frontend/options.hpp"
#include "apps/tensor/options.hpp"

namespace miniapp::apps {

/// What `miniapp tune` is asked to do.
struct TuneArguments : OutputOptions {
  int elements = 0;
  measure::Repeat repeat{};
  std::vector<std::string> order;  ///< none: all that are built
  Precision precision = Precision::fp64;
  std::string output, cells;
};

void add_options(Options& options, TuneArguments& arguments);

/// The checked arguments with what is to be tuned: each problem and order, with the kernels that may be fastest.
struct TuneOptions : TuneArguments {
  std::vector<int> orders;
  std::vector<TensorOptions> cases;
  MemoryNeed need;  ///< the largest of all cases
};

/// Checks every argument, and the memory that the cases need. Errors: InputError naming the option, its value and what
/// is accepted.
TuneOptions check(const TuneArguments& arguments, const Options& options);

}  // namespace miniapp::apps
