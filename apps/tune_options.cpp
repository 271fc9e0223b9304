// SPDX-License-Identifier: BSD-3-Clause
#include "tune_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checks.hpp"
#include "miniapp/mesh/generate.hpp"
#include "tensor_memory.hpp"

namespace miniapp::apps {
namespace {

/// The kernels that may be fastest: rungs are steps of a ladder, not rivals.
std::vector<tensor::Variant> rivals(tensor::Problem problem, int order, int word) {
  std::vector<tensor::Variant> able;
  for (const tensor::Kernel kernel : {tensor::Kernel::lanes, tensor::Kernel::lines, tensor::Kernel::tiles})
    for (const tensor::Geometry geometry : members<tensor::Geometry>())
      if (tensor::why_not({kernel, geometry}, problem, order, word).empty()) able.push_back({kernel, geometry});
  return able;
}

/// One case of those that are tuned.
TensorOptions make_case(const TuneArguments& a, tensor::Problem problem, int order) {
  const auto box = mesh::cubical(a.elements);
  TensorOptions o{};
  o.problem = problem;
  o.order = order;
  o.nx = box[0];
  o.ny = box[1];
  o.nz = box[2];
  o.precision = choose<Precision>("--precision", a.precision);
  o.boundary = tensor::has_stiffness(problem) ? space::Boundary::dirichlet : space::Boundary::neumann;
  o.lambda = 1;
  o.deform = 0.08;
  o.variants = rivals(problem, order, o.word());
  return o;
}

}  // namespace

void add_options(Options& options, TuneArguments& a) {
  const auto group = options.group("Options");
  group.optional("--order", a.order, "Polynomial order [all that are built]");
  group.add("--elements", a.elements, "Hexahedra");
  group.add("--precision", a.precision, "double or single");
  group.add("--repeat", a.repeat, "Timed repetitions");
  group.file("--output", a.output, "Append the table to this file, for --tuning; without it, print it");
  group.flag("--quiet", a.quiet, "Print no progress");
  group.file("--json", a.json, "Append a record per problem and order to this file");
}

void check(const TuneArguments& a, const Options& options) {
  const std::vector<int> built = tensor::built_orders();
  require(
      !options.given("--order") || std::count(built.begin(), built.end(), a.order),
      fmt::format("--order {}: this build holds no kernels of it; accepted are {}", a.order, fmt::join(built, ", ")));
  require_number("--elements", a.elements, a.elements > 0, "whole numbers > 0");
  require_number("--repeat", a.repeat, a.repeat > 0, "whole numbers > 0");
  choose<Precision>("--precision", a.precision);
  for (const TensorOptions& o : make_cases(a)) {
    require(o.order > 1 || std::min({o.nx, o.ny, o.nz}) > 1,
            fmt::format("--elements {}: {} x {} x {} elements of order 1 have no free node; accepted are products of "
                        "three factors of 2 or more, such as 8 or 4096",
                        a.elements, o.nx, o.ny, o.nz));
    for (const tensor::Variant& variant : o.variants)
      require_memory(operator_need(o, variant), fmt::format("--elements {}, order {}", a.elements, o.order),
                     "fewer elements, or one --order");
  }
}

std::vector<TensorOptions> make_cases(const TuneArguments& a) {
  std::vector<TensorOptions> cases;
  for (const auto problem : members<tensor::Problem>())
    for (const int order : tensor::built_orders())
      if (a.order == 0 || order == a.order) cases.push_back(make_case(a, problem, order));
  return cases;
}

MemoryNeed memory_need(const TuneArguments& a) {
  std::vector<MemoryNeed> needs;
  for (const TensorOptions& o : make_cases(a))
    for (const tensor::Variant& variant : o.variants) needs.push_back(operator_need(o, variant));
  return most_of(needs);
}

}  // namespace miniapp::apps
