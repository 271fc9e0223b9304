// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "miniapp/graph/reorder.hpp"
#include "miniapp/indirect/plan.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "options.hpp"

namespace miniapp::apps {

/// The arguments of the command line, as given.
struct TensorArguments {
  std::string bp = "3.0", rhs = "manufactured", boundary, preconditioner = "none", cg = "fused", kernel = "auto",
              geometry = "auto", precision = "double", reorder = "none", assembly = "fused", sweep, tuning, json;
  int components = 1, order = 7, elements = 4096, nx = 0, ny = 0, nz = 0, max_iterations = 10000, repeat = 20;
  double deform = 0.08, lambda = 1, tolerance = 0;
  bool verify_only = false, no_solve = false, quiet = false;
};

/// The right-hand side of the system.
enum class Rhs {
  manufactured,  ///< of a known solution
  random,
};
constexpr auto names(Rhs) { return std::array{"manufactured", "random"}; }

enum class Cg {
  classic,
  fused,  ///< three passes per iteration, scalars stay on the device
};
constexpr auto names(Cg) { return std::array{"classic", "fused"}; }

enum class Preconditioner { none, jacobi };
constexpr auto names(Preconditioner) { return std::array{"none", "jacobi"}; }

/// Adds the options of the main job to `options`.
void add_options(Options& options, TensorArguments& arguments);

/// The same, checked and completed.
struct TensorOptions {
  tensor::Problem problem;
  int components = 1, order, nx, ny, nz;
  space::Boundary boundary;
  graph::Reorder reorder;
  std::optional<indirect::Strategy> assembly;  ///< none: as the kernel does it
  std::vector<tensor::Variant> variants;
  std::vector<std::string> skipped;  ///< kernels that --kernel all leaves out, and why
  Rhs rhs;
  Preconditioner preconditioner;
  Cg cg;
  Precision precision;
  double deform, lambda, tolerance;
  int max_iterations, repeat;
  bool verify_only, no_solve, quiet, sweep;
  std::string json;
  std::string shape_note;  ///< where --elements makes a needle: what would make a cube
  int word() const { return word_bytes(precision); }
  bool jacobi() const { return preconditioner == Preconditioner::jacobi; }
  std::int64_t elements() const { return std::int64_t(nx) * ny * nz; }
};

/// Checks every argument and their combinations, and the memory that the run needs; a case, or those of --sweep.
/// `options` knows which were given. Errors: InputError naming the option, its value and what is accepted.
std::vector<TensorOptions> check(const TensorArguments& arguments, const Options& options);

}  // namespace miniapp::apps
