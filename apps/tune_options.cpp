// SPDX-License-Identifier: BSD-3-Clause
#include "tune_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checks.hpp"
#include "tensor/choice.hpp"
#include "tensor/memory.hpp"

namespace miniapp::apps {
namespace {

/// One case of those that are tuned.
TensorOptions make_case(const TuneArguments& a, tensor::Problem problem, int order) {
  TensorOptions o;
  o.problem = problem;
  o.order = order;
  o.set_elements(a.elements);
  o.precision = a.precision;
  o.boundary = tensor::usual_boundary(problem);
  o.repeat = a.repeat;
  o.variants = tensor::rivals(o);
  return o;
}

}  // namespace

void add_options(Options& options, TuneArguments& a) {
  const auto group = options.group("Options");
  group.optional("--order", a.order, "Polynomial order [all that are built]");
  group.add("--elements", a.elements, "Hexahedra", positive_whole);
  group.add("--precision", a.precision, "double or single");
  group.add("--repeat", a.repeat, "Timed repetitions", positive_whole);
  group.file("--output", a.output, "Append the table to this file, for --tuning; without it, print it");
  group.output(a, "one record per problem and order");
}

TuneOptions check(const TuneArguments& a, const Options& options) {
  const std::vector<int> built = tensor::built_orders();
  require(
      !options.given("--order") || std::count(built.begin(), built.end(), a.order),
      fmt::format("--order {}: this build holds no kernels of it; accepted are {}", a.order, fmt::join(built, ", ")));
  TuneOptions all{a, {}, {}};
  std::vector<MemoryNeed> needs;
  for (const tensor::Problem problem : members<tensor::Problem>())
    for (const int order : options.given("--order") ? std::vector{a.order} : built) {
      const TensorOptions o = make_case(a, problem, order);
      require(order > 1 || std::min({o.nx, o.ny, o.nz}) > 1,
              fmt::format("--elements {}: {} x {} x {} elements of order 1 have no free node; accepted are products of "
                          "three factors of 2 or more, such as 8 or 4096",
                          a.elements, o.nx, o.ny, o.nz));
      for (const tensor::Variant& variant : o.variants) {
        needs.push_back(tensor::operator_need(o, variant));
        require_memory(needs.back(), fmt::format("--elements {}, order {}", a.elements, order),
                       "fewer elements, or one --order");
      }
      all.cases.push_back(o);
    }
  all.need = measure::most_of(needs);
  return all;
}

}  // namespace miniapp::apps
