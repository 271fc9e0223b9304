// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/memory.hpp"
#include "apps/frontend/options.hpp"
#include "apps/frontend/solution_file.hpp"
#include "apps/weakform/problem.hpp"
#include "runs/weakform/settings.hpp"
#include "runs/weakform/tuning.hpp"

namespace miniapp::apps {

/// What `miniapp weakform` is to do, checked and completed.
struct WeakformOptions : weakform::FormSettings, OutputOptions {
  std::vector<weakform::FormKind> forms;
  std::vector<weakform::Way> ways;  ///< the configurations that every form runs in
  std::string mesh = "generated";   ///< or a Gmsh file
  FormWords problem;                ///< what a user gave of a problem
  std::string size;                 ///< the option that gives `sides`, with its value
  std::string history;              ///< file of --history
  SolutionOptions output;           ///< file of --output
  std::string tune;                 ///< file of --tune
  weakform::TuningTable table;      ///< entries that auto goes by

  bool generated() const { return mesh == "generated"; }
};

/// The arguments of the command line, as given: those that need no other to be understood, and the words of the rest.
struct WeakformArguments {
  WeakformOptions direct;  ///< settings that options set themselves
  std::vector<std::string> form{"variable-poisson"}, strategy{"auto"}, reorder{"none"}, block_size, blocks, batches;
  std::string elements_word = "200k", cells, tuning;
};

void add_options(Options& options, WeakformArguments& arguments);

/// Checks every argument, and the memory that the mesh needs. Errors: InputError naming the option, its value and what
/// is accepted.
WeakformOptions check(const WeakformArguments& arguments, const Options& options);

/// The configurations of a form; automatic ones are those of the table where that has an entry.
std::vector<weakform::Way> ways_of(const WeakformOptions& options, weakform::FormKind form);

/// What a form needs where it needs most; nothing where the mesh is a file's, whose size is not known.
MemoryNeed memory_need(const WeakformOptions& options, weakform::FormKind form, const weakform::Way& way);

}  // namespace miniapp::apps
