// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "indirect/planned.hpp"
#include "options.hpp"

namespace miniapp::apps {

/// The arguments of the command line, as given.
struct IndirectArguments {
  std::vector<std::string> loop{"airfoil"}, strategy{"auto"}, reorder{"none"}, layout{"aos"}, block_size;
  std::string in_block, write_back, staging = "all", mesh = "generated", size = "100k", save_plan, load_plan, json;
  int iterations = 1, repeat = 20;
  bool shuffle = false, quiet = false;
};

void add_options(Options& options, IndirectArguments& arguments);

/// The same, checked and completed.
struct IndirectOptions {
  std::vector<indirect::LoopKind> loops;
  std::vector<indirect::Combination> combinations;  ///< of every loop
  std::vector<Layout> layouts;                      ///< of every combination
  std::string mesh;                                 ///< a Gmsh file; empty: generated
  std::int64_t size;                                ///< from-elements of generated meshes, about
  bool shuffle, quiet;
  int iterations, repeat;
  std::string save_plan, load_plan, json;
};

/// Checks every argument, and the memory that the mesh needs. Errors: InputError naming the option, its value and what
/// is accepted.
IndirectOptions check(const IndirectArguments& arguments, const Options& options);

}  // namespace miniapp::apps
