// SPDX-License-Identifier: BSD-3-Clause
#include "elasticity_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "elasticity_memory.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/session.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

using elasticity::Method;

/// Orders that this build has kernels for.
std::vector<int> built_orders() {
  std::vector<int> built;
  for (int order = 1; order <= basis::largest_prism_order; ++order)
    if (elasticity::why_not(Method::reg_jac, order).empty()) built.push_back(order);
  return built;
}

std::vector<int> orders_of(const std::vector<std::string>& words) {
  if (words.empty()) return built_orders();
  const std::vector<int> orders = parse_list("--order", words, 1, basis::largest_prism_order);
  for (const int order : orders) {
    const std::string reason = elasticity::why_not(Method::reg_jac, order);
    require(reason.empty(),
            fmt::format("--order {}: {}; accepted are {}", order, reason, fmt::join(built_orders(), ", ")));
  }
  return orders;
}

/// The variants of a run without --variant: the fast ones, so that it is short; on back ends that have neither, and to
/// plan, the paper's.
std::vector<std::string> default_variants(const ElasticityArguments& a, int order) {
  if (a.solve) return {"auto"};
  if (a.plan == "this" && elasticity::why_not(Method::products, order).empty()) return {"products", "split"};
  return {"reg-jac", "reg-nojac", "shm-jac", "shm-nojac"};
}

void parse_variants(const std::vector<std::string>& words, ElasticityOptions& o) {
  std::vector<std::string> accepted;
  for (const Method method : members<Method>()) accepted.push_back(name(method));
  const std::size_t count = accepted.size();
  accepted.insert(accepted.end(), {"auto", "all"});
  for (const std::string& word : words) {
    const std::size_t place = choose("--variant", word, accepted);
    if (place < count) {
      const auto method = static_cast<Method>(place);
      for (const int order : o.orders) {
        const std::string reason = elasticity::why_not(method, order);
        require(reason.empty(), fmt::format("--variant {}: order {}: {}; accepted is another", word, order, reason));
      }
      o.methods.push_back(method);
    } else {
      const auto all = members<Method>();
      o.methods.assign(all.begin(), all.end());
      o.automatic = place == count;
    }
  }
  require(!o.automatic || words.size() == 1, "--variant auto: stands for all of them; accepted is no other beside it");
}

elasticity::DeviceLimits find_limits(const std::string& text) {
  switch (choose("--plan", text, {"this", "gtx-580", "hd-5870", "h200"})) {
    case 0:
      return elasticity::this_device();
    case 1:
      return elasticity::gtx_580();
    case 2:
      return elasticity::hd_5870();
    default:
      return elasticity::h200();
  }
}

/// Where the host is the device, matrices that are kept there leave less memory to batches.
void keep_room_for_output(ElasticityOptions& o) {
  if (o.solve || !runs_on_host || o.output != elasticity::Output::host) return;
  double kept = 0;
  for (const int order : o.orders) kept = std::max(kept, o.matrix_bytes(order) * double(o.elements_of(order)));
  const double all = double(o.limits.memory_bytes), least = all / 16;  // what is not there is refused elsewhere
  o.limits.memory_bytes = o.limits.array_bytes = static_cast<std::size_t>(std::max(least, all - kept));
}

/// Checks the options of the cantilever, and that no option of single prisms is given beside them.
void check_beam(const ElasticityArguments& a, const Options& options, ElasticityOptions& o) {
  o.solve = a.solve;
  for (const char* option : {"--cells", "--length", "--preconditioner", "--tolerance", "--max-iterations"})
    require(o.solve || !options.given(option), fmt::format("{}: of the cantilever; accepted with --solve", option));
  for (const char* option : {"--elements", "--output-matrices", "--plan", "--vary"})
    require(!o.solve || !options.given(option),
            fmt::format("{}: contradicts --solve; accepted is one of them", option));
  const std::vector<int> cells = parse_box("--cells", a.cells);
  require_number("--length", a.length, a.length > 0, "lengths > 0");
  require_number("--tolerance", a.tolerance, a.tolerance > 0 && a.tolerance < 1, "numbers between 0 and 1");
  require_number("--max-iterations", a.max_iterations, a.max_iterations > 0, "whole numbers > 0");
  o.beam.nx = cells[0];
  o.beam.ny = cells[1];
  o.beam.nz = cells[2];
  o.beam.length = a.length;
  o.beam.young = a.young;
  o.beam.poisson = a.poisson;
  o.beam.deform = a.deform;
  o.preconditioner = choose<elasticity::ElasticPreconditioner>("--preconditioner", a.preconditioner);
  o.cg.tolerance = a.tolerance;
  o.cg.max_iterations = a.max_iterations;
}

}  // namespace

void add_options(Options& options, ElasticityArguments& a) {
  const auto what = options.group("Elements");
  what.optional("--order", a.order, "Polynomial orders: 2,5 or 1..7 [those of this build]");
  what.add("--elements", a.elements, "Prisms: 4096, 64k; auto: as many as have matrices of 4 GB (hosts: 256 MB)");
  what.add("--young", a.young, "Young's modulus E [Pa]");
  what.add("--poisson", a.poisson, "Poisson's ratio nu");
  what.flag("--vary", a.vary, "Another material in each element, E by up to half and nu by a tenth");
  what.add("--deform", a.deform, "Vertices are moved by up to this part of a prism's side");

  const auto how = options.group("Way to compute them");
  how.optional(
      "--variant", a.variant,
      "The paper's reg-jac, reg-nojac, shm-jac, shm-nojac; products, split; auto: the fastest here, all: a row "
      "each, an hour on one core [products,split, where they run; with --solve one of them]");
  how.add("--precision", a.precision, "double or single");
  how.add("--output-matrices", a.output_matrices,
          "none: a batch overwrites the last; device: all stay there; host: all are copied to the host");
  how.add("--plan", a.plan, "Device to plan for: this, or only print the plan for gtx-580, hd-5870, h200");

  const auto beam = options.group("A cantilever: assembled, solved by CG, held against beam theory");
  beam.flag("--solve", a.solve, "Solve it, one row per variant and order");
  beam.add("--cells", a.cells, "Cells along, across and up, two prisms each: 8x1x2");
  beam.add("--length", a.length, "Length over width and height");
  beam.add("--preconditioner", a.preconditioner, "jacobi, or block-jacobi: blocks of 3 x 3");
  beam.add("--tolerance", a.tolerance, "Residual over that of zero");
  beam.add("--max-iterations", a.max_iterations, "CG gives up after");

  const auto run = options.group("Run");
  run.add("--repeat", a.repeat, "Timed repetitions of a kernel");
  run.flag("--verify-only", a.verify_only, "Stop after the comparison with the reference");
  run.flag("--quiet", a.quiet, "Print no progress");
  run.file("--json", a.json, "Append one record per variant and order to this file");
}

ElasticityOptions check(const ElasticityArguments& a, const Options& options) {
  ElasticityOptions o{};
  o.orders = orders_of(a.order);
  parse_variants(a.variant.empty() ? default_variants(a, o.orders.front()) : a.variant, o);
  o.elements = a.elements == "auto" ? 0 : parse_count("--elements", a.elements);
  o.precision = choose<Precision>("--precision", a.precision);
  o.output = choose<elasticity::Output>("--output-matrices", a.output_matrices);
  require_number("--young", a.young, a.young > 0, "moduli > 0");
  const double most = a.vary ? 0.45 : 0.5;  // varied ratios are up to a tenth larger
  require_number("--poisson", a.poisson, a.poisson > -1 / (a.vary ? 1.1 : 1) && a.poisson < most,
                 a.vary ? "ratios from -0.9 to 0.45 with --vary" : "ratios between -1 and 0.5");
  require_number("--deform", a.deform, a.deform >= 0 && a.deform <= 0.12,
                 "parts from 0 to 0.12, which invert no prism");
  require_number("--repeat", a.repeat, a.repeat > 0, "whole numbers > 0");
  o.young = a.young;
  o.poisson = a.poisson;
  o.deform = a.deform;
  o.vary = a.vary;
  o.verify_only = a.verify_only;
  o.quiet = a.quiet;
  o.repeat = a.repeat;
  o.json = a.json;
  o.limits = find_limits(a.plan);
  o.plan_only = a.plan != "this";
  if (o.plan_only && o.elements == 0) o.elements = elasticity::unlimited;
  require(
      !o.plan_only || (a.json.empty() && !options.given("--output-matrices")),
      fmt::format("--plan {}: prints a plan only; accepted are --order, --variant, --elements, --precision beside it",
                  a.plan));
  check_beam(a, options, o);
  if (o.plan_only) return o;
  keep_room_for_output(o);
  require_memory(o);
  return o;
}

}  // namespace miniapp::apps
