// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "miniapp/elasticity/cantilever.hpp"
#include "miniapp/elasticity/integrator.hpp"
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

/// What becomes of matrices.
enum class Output {
  none,    ///< those of a batch are overwritten by the next
  device,  ///< all stay on the device
  host,    ///< all are copied to the host
};
constexpr auto names(Output) { return std::array{"none", "device", "host"}; }

/// The same, checked and completed.
struct ElasticityOptions {
  std::vector<int> orders;
  std::vector<elasticity::Method> methods;
  bool automatic;         ///< only the fastest is reported
  std::int64_t elements;  ///< 0: by the memory of their matrices
  elasticity::DeviceLimits limits;
  bool plan_only;  ///< for a device that is not here
  Precision precision;
  Output output;
  double young, poisson, deform;
  bool vary, verify_only, quiet;
  int repeat;
  std::string json;
  bool solve;                   ///< a cantilever instead of single prisms
  elasticity::Cantilever beam;  ///< but for its order
  elasticity::ElasticPreconditioner preconditioner;
  solver::CgOptions cg;

  std::size_t word() const { return static_cast<std::size_t>(word_bytes(precision)); }
  /// Bytes of the matrix of an element of an order.
  double matrix_bytes(int order) const;
  /// Elements of an order that are worked on; with --verify-only no more than --elements auto takes, since three are
  /// compared.
  std::int64_t elements_of(int order) const;
  /// Those whose matrices take 4 GB, on hosts 256 MB.
  std::int64_t automatic_elements(int order) const;
};

/// Checks every argument and that memory suffices. Errors: InputError naming the option, its value and what is
/// accepted.
ElasticityOptions check(const ElasticityArguments& arguments, const Options& options);

}  // namespace miniapp::apps
