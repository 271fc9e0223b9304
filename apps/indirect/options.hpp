// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/frontend/options.hpp"
#include "apps/frontend/solution_file.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/indirect/case.hpp"
#include "runs/indirect/combination.hpp"

namespace miniapp::apps {

/// What `miniapp indirect` is to do, checked and completed.
struct IndirectOptions : OutputOptions {
  std::vector<indirect::LoopKind> loops;
  std::vector<indirect::Combination> combinations;         ///< the combinations that every loop runs in
  std::vector<Layout> layouts;                             ///< the layouts that every combination runs in
  std::string mesh = "generated";                          ///< or a Gmsh file
  std::map<indirect::LoopKind, std::array<int, 3>> sides;  ///< sides of each loop's generated mesh, squares or cubes
  std::string size;                                        ///< the option that gives them, with its value
  bool shuffle = false;
  std::string state;  ///< a file with the state; empty: the loop's own
  SolutionOptions output{{}, {}, "loop's state and its increments"};
  int iterations = 1;
  measure::Repeat repeat{};
  bool verify_only = false;
  std::optional<Precision> precision;  ///< else each loop's own
  std::string save_plan, load_plan;
  graph::Partition partition = graph::Partition::rcb;
  Communicator ranks;

  bool generated() const { return mesh == "generated"; }
  /// The option that names the file of the mesh, with it.
  std::string mesh_option() const;
  /// Whether fields are read or written, which records then have sums of.
  bool has_fields() const { return !state.empty() || !output.file.empty(); }
};

/// The arguments of the command line, as given: those that need no other to be understood, and the words of the rest.
struct IndirectArguments {
  IndirectOptions direct;  ///< settings that options set themselves
  std::vector<std::string> loop{"airfoil"}, strategy{"auto"}, reorder{"none"}, layout{"aos"}, block_size;
  std::optional<indirect::InBlock> in_block;
  std::optional<indirect::WriteBack> write_back;
  indirect::Staging staging = indirect::Staging::all;
  std::string elements = "100k", cells;
};

void add_options(Options& options, IndirectArguments& arguments);

/// Checks every argument, and the memory that the mesh needs. Errors: InputError naming the option, its value and what
/// is accepted.
IndirectOptions check(const IndirectArguments& arguments, const Options& options);

}  // namespace miniapp::apps
