// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tune/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/tuning_file.hpp"
#include "miniapp/core/device.hpp"
#include "runs/tensor/choice.hpp"
#include "runs/tensor/memory.hpp"

namespace miniapp::apps {
namespace {

/// Elements unless they are asked for: 16^3; on hosts, whose time goes by nodes, beyond order 7 fewer.
int usual_elements(int order) {
  const int side = runs_on_host && order > 7 ? static_cast<int>(std::lround(16 * 7. / order)) : 16;
  return side * side * side;
}

/// One case of those that are tuned.
TensorOptions make_case(const TuneArguments& a, tensor::Problem problem, int order) {
  TensorOptions o;
  o.problem = problem;
  o.order = order;
  if (a.cells.empty()) {
    o.set_elements(a.elements > 0 ? a.elements : usual_elements(order));
  } else {
    const std::array<int, 3> sides = parse_box("--cells", a.cells);
    o.nx = sides[0];
    o.ny = sides[1];
    o.nz = sides[2];
  }
  o.precision = a.precision;
  o.boundary = tensor::usual_boundary(problem);
  o.repeat = a.repeat;
  o.variants = tensor::rivals(o);
  return o;
}

}  // namespace

void add_options(Options& options, TuneArguments& a) {
  const auto what = options.group("Cases");
  what.optional("--order", a.order, "Polynomial orders, 1..15: 7 or 1..3,7 [all that are built]");
  what.optional("--elements", a.elements,
                "Hexahedra, in a box as cubical as the number allows: 4096, 64k [4096; on hosts beyond order 7 fewer, "
                "with about as many nodes]",
                positive_whole);
  what.optional("--cells", a.cells, "Hexahedra along x, y and z, instead of --elements: 8x4x2, or 8 for 8x8x8");
  what.add("--precision", a.precision, "double or single");
  const auto run = options.group("Run");
  run.times(a.repeat.times);
  run.optional("--tune", a.output, "Append the table to this file, for --tuning; without it, print it")
      .output(check_tuning_file<tensor::TuningTable>);
  run.output(a, "one record per problem and order");
}

TuneOptions check(const TuneArguments& a, const Options& options) {
  const std::vector<int> built = tensor::built_orders(),
                         orders = a.order.empty() ? built : parse_list("--order", a.order, 1, 15);
  for (const int order : orders)
    require(std::count(built.begin(), built.end(), order), "--order", order,
            fmt::format("this build holds no kernels of it; accepted are {}", fmt::join(built, ", ")));
  if (!a.cells.empty()) options.refuse({"--elements"}, "contradicts --cells; accepted is one of them");
  const auto size_of = [&](const TensorOptions& o) {
    return a.cells.empty() ? fmt::format("--elements {}", o.elements()) : "--cells " + a.cells;
  };
  TuneOptions all{a, orders, {}, {}};
  std::vector<MemoryNeed> needs;
  for (const tensor::Problem problem : members<tensor::Problem>())
    for (const int order : orders) {
      const TensorOptions o = make_case(a, problem, order);
      require(order > 1 || std::min({o.nx, o.ny, o.nz}) > 1,
              about(size_of(o), fmt::format("{} x {} x {} elements of order 1 have no free node; accepted are products "
                                            "of three factors of 2 or more, such as 8 or 4096",
                                            o.nx, o.ny, o.nz)));
      tensor::CaseSettings verified = o;
      verified.verify_only = true;  // no solve, no roof
      for (const tensor::Variant& variant : o.variants) {
        needs.push_back(tensor::memory_need(verified, variant));
        require_memory(needs.back(), fmt::format("{}, order {}", size_of(o), order), "fewer elements, or one --order");
      }
      all.cases.push_back(o);
    }
  all.need = measure::most_of(needs);
  return all;
}

}  // namespace miniapp::apps
