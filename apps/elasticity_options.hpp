// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "elasticity/matrix_run.hpp"
#include "miniapp/elasticity/cantilever.hpp"
#include "options.hpp"

namespace miniapp::apps {

/// The arguments of the command line, as given.
struct ElasticityArguments {
  std::vector<std::string> order, variant;
  std::string elements = "auto", precision = "double", output_matrices = "none", plan = "this", json;
  double young = 210e9, poisson = 0.3, deform = 0.1;
  std::string cells = "8x1x2", preconditioner = "jacobi";
  double length = 10, tolerance = 1e-10;
  int repeat = 20, max_iterations = 20000;
  bool vary = false, verify_only = false, quiet = false, solve = false;
};

void add_options(Options& options, ElasticityArguments& arguments);

/// The same, checked and completed.
struct ElasticityOptions : elasticity::MatrixSettings {
  std::vector<int> orders;
  std::vector<elasticity::Method> methods;
  bool automatic;  ///< only the fastest is reported
  bool plan_only;  ///< for a device that is not here: any number of elements
  bool quiet;
  std::string json;
  bool solve;                   ///< a cantilever instead of single prisms
  elasticity::Cantilever beam;  ///< but for its order
  elasticity::ElasticPreconditioner preconditioner;
  solver::CgOptions cg;
};

/// Checks every argument and that memory suffices. Errors: InputError naming the option, its value and what is
/// accepted.
ElasticityOptions check(const ElasticityArguments& arguments, const Options& options);

}  // namespace miniapp::apps
