// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "memory.hpp"
#include "options.hpp"
#include "tensor_options.hpp"

namespace miniapp::apps {

/// What the command line says of `tune`, word for word.
struct TuneArguments {
  int elements = 4096, order = 0, repeat = 10;
  std::string precision = "double", output, json;
  bool quiet = false;
};

void add_options(Options& options, TuneArguments& arguments);

/// Checks every argument, and the memory that the cases need. Errors: InputError naming the option, its value and what
/// is accepted.
void check(const TuneArguments& arguments, const Options& options);

/// What is to be tuned: each problem and order, with the kernels that may be fastest.
std::vector<TensorOptions> make_cases(const TuneArguments& arguments);

/// The largest of all cases.
MemoryNeed memory_need(const TuneArguments& arguments);

}  // namespace miniapp::apps
