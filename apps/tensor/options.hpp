// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/frontend/memory.hpp"
#include "apps/frontend/options.hpp"
#include "apps/frontend/solution_file.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "runs/tensor/settings.hpp"

namespace miniapp::apps {

/// The cases of --sweep, and of several orders.
enum class Sweep {
  elements,  ///< cubes of 1, 8, 64, .. elements
  order,     ///< all orders that are built, or those of --order
};
constexpr auto names(Sweep) { return std::array{"elements", "order"}; }

/// A user's problem, as given.
struct ProblemWords {
  std::string mesh, source, exact;
  std::vector<std::string> coefficient, dirichlet, neumann, robin;
};

/// What the main job is to do, checked and completed.
struct TensorOptions : tensor::CaseSettings, OutputOptions {
  ProblemWords words;      ///< what the user typed of the problem in `user`
  SolutionOptions output;  ///< the file of the solution
  std::vector<tensor::Variant> variants;
  std::vector<std::string> skipped;  ///< kernels that --kernel all leaves out, and why
  std::optional<Sweep> sweep;
  Halo halo = Halo::automatic;
  bool weak = false;        ///< whether elements are counted per rank
  bool chosen = false;      ///< whether --preconditioner auto chose the preconditioner
  std::string tuning_note;  ///< where the choice of --kernel auto comes from
  std::string shape_note;   ///< what would make a cube, where --elements makes a needle
};

/// The arguments of the command line, as given: those that need no other to be understood, and the words of the rest.
struct TensorArguments {
  TensorOptions direct;  ///< settings that options set themselves
  std::vector<std::string> orders{"7"}, kernel{"auto"};
  std::string bp = "3.0", geometry = "auto", assembly = "fused", tuning, cells;
  int hexahedra = 4096;
  std::optional<space::Boundary> wanted_boundary;
};

/// Adds the options of the main job to `options`.
void add_options(Options& options, TensorArguments& arguments);

/// Checks every argument and their combinations, and the memory that the run needs; a case, or those of --sweep
/// and of several orders.
/// `options` knows which were given. Errors: InputError naming the option, its value and what is accepted.
std::vector<TensorOptions> check(const TensorArguments& arguments, const Options& options);

/// The options that set the size of a case: "16 x 16 x 16 elements of --order 7".
std::string describe_size(const TensorOptions& options);

/// The largest of all kernels of a case: they come one after the other.
MemoryNeed memory_need(const TensorOptions& options);

}  // namespace miniapp::apps
