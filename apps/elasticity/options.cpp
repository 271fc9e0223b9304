// SPDX-License-Identifier: BSD-3-Clause
#include "apps/elasticity/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/elasticity/body.hpp"
#include "apps/frontend/checks.hpp"
#include "core/printable.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/session.hpp"
#include "runs/elasticity/memory.hpp"

namespace miniapp::apps {
namespace {

using elasticity::Method;

std::vector<int> orders_of(const std::vector<std::string>& words) {
  if (words.empty()) return elasticity::built_orders();
  const std::vector<int> orders = parse_list("--order", words, 1, basis::largest_prism_order);
  for (const int order : orders) {
    const std::string reason = elasticity::why_not(Method::reg_jac, order);
    require(reason.empty(), "--order", order,
            fmt::format("{}; accepted are {}", reason, fmt::join(elasticity::built_orders(), ", ")));
  }
  return orders;
}

/// The variants of a run without --kernel: the fast ones, so that it is short; on back ends that have neither, and to
/// plan, the paper's.
std::vector<std::string> default_variants(const ElasticityArguments& a, int order) {
  if (a.direct.solve) return {"auto"};
  if (a.plan == "this" && elasticity::why_not(Method::products, order).empty()) return {"products", "split"};
  return {"reg-jac", "reg-nojac", "shm-jac", "shm-nojac"};
}

void parse_variants(const std::vector<std::string>& words, ElasticityOptions& o) {
  const auto all = members<Method>();
  for (const std::string& word : words) {
    const std::size_t place = choose("--kernel", word, names_and<Method>({"auto", "all"}));
    if (place < all.size()) {
      const Method method = all[place];
      for (const int order : o.orders) {
        const std::string reason = elasticity::why_not(method, order);
        require(reason.empty(), "--kernel", word, fmt::format("order {}: {}; accepted is another", order, reason));
      }
      o.methods.push_back(method);
    } else {
      o.methods.assign(all.begin(), all.end());
      o.automatic = word == "auto";
    }
  }
  require(!o.automatic || words.size() == 1, "--kernel", "auto",
          "stands for all of them; accepted is no other beside it");
}

const std::vector<std::string> planned_devices{"this", "gtx-580", "hd-5870", "h200"};

elasticity::DeviceLimits find_limits(const std::string& text) {
  constexpr elasticity::DeviceLimits (*devices[])() = {elasticity::this_device, elasticity::gtx_580,
                                                       elasticity::hd_5870, elasticity::h200};
  return devices[choose("--plan", text, planned_devices)]();
}

/// So many times as many cells along each side as 8 x 1 x 2 that there are about so many prisms.
std::array<int, 3> beam_of(std::int64_t prisms) {
  const int times = std::max(1, static_cast<int>(std::lround(std::cbrt(double(prisms) / 32))));
  return {8 * times, times, 2 * times};
}

/// Refuses options of what is not asked for: single prisms, a cantilever or a body.
void check_kind(const Options& options, const ElasticityOptions& o) {
  const std::initializer_list<const char*> of_body{"--held",    "--traction", "--pressure", "--gravity",
                                                   "--density", "--material", "--output",   "--output-compress"};
  if (o.solve) {
    options.refuse({"--output-matrices", "--plan", "--vary"}, "contradicts --solve; accepted is one of them");
  } else {
    options.refuse({"--cells", "--length", "--preconditioner", "--tolerance", "--max-iterations"},
                   "of the cantilever; accepted with --solve");
    options.refuse({"--mesh"}, "of a body that is solved; accepted with --solve");
  }
  if (o.words.mesh.empty())
    options.refuse(of_body, "of a body of yours; accepted with --solve --mesh FILE");
  else
    options.refuse({"--elements", "--cells", "--length", "--perturb"}, "contradicts --mesh; accepted is one of them");
}

/// Sets the cantilever.
void set_beam(const ElasticityArguments& a, const Options& options, ElasticityOptions& o) {
  if (options.given("--cells")) options.refuse({"--elements"}, "contradicts --cells; accepted is one of them");
  const std::array<int, 3> cells = o.elements > 0 ? beam_of(o.elements) : parse_box("--cells", a.cells);
  o.beam.nx = cells[0];
  o.beam.ny = cells[1];
  o.beam.nz = cells[2];
  o.beam.young = o.young;
  o.beam.poisson = o.poisson;
  o.beam.deform = o.deform;
}

/// The size of the cantilever, by the option that gave it.
std::string beam_size(const ElasticityOptions& o) {
  return o.elements > 0 ? fmt::format("--elements {}", o.elements)
                        : fmt::format("--cells {}x{}x{}", o.beam.nx, o.beam.ny, o.beam.nz);
}

/// Several ranks solve a cantilever, with what exchanges nodes between them.
void check_ranks(const ElasticityOptions& o) {
  if (o.ranks.is_alone()) return;
  const int ranks = o.ranks.size();
  require(o.solve,
          fmt::format("{} ranks: matrices of single prisms take one; accepted with more is elasticity --solve", ranks));
  if (o.mesh) return;  // distribute() refuses a rank without elements
  const std::int64_t cells = std::int64_t(o.beam.nx) * o.beam.ny * o.beam.nz;
  require(
      cells >= ranks,
      about(beam_size(o), fmt::format("{} ranks for {} cells; accepted are no more ranks than cells", ranks, cells)));
}

/// Each order is checked by itself, so that the message names the one that is too large.
void check_memory(const ElasticityOptions& all) {
  const double free = double(runs_on_host ? free_host_memory() : available_memory());
  ElasticityOptions o = all;
  for (const ElasticityOptions::Run& run : all.runs()) {
    o.orders = {run.order};
    const std::string size = describe_size(o);
    if (o.solve) {
      const std::string fewer = o.mesh ? "a lower order" : o.elements > 0 ? "fewer elements" : "fewer cells";
      const elasticity::SystemSize beam =
          o.mesh ? elasticity::size_of(*o.mesh, run.order) : elasticity::size_of(o, run.order);
      const double entries = 9 * (beam.blocks + beam.nodes);  // a block more per node of a rank's edge
      require(beam.nodes < 7e8, about(size, fmt::format("{:.3g} nodes{}; accepted are fewer than 7e8", beam.nodes,
                                                        o.ranks.is_alone() ? "" : " of a rank")));
      if (o.preconditioner == elasticity::ElasticPreconditioner::amg)
        require(entries <= 2147483647.0, "--preconditioner", "amg",
                fmt::format("{}: {:.3g} entries; accepted are up to 2147483647, {}", size, entries, fewer));
      require_memory(memory_need(o, run), size, fewer);
      continue;
    }
    const double matrix = o.matrix_bytes(run.order);
    const std::string fewer =
        fmt::format("at most {:.0f} elements, or --output-matrices none", std::max(0., 0.6 * free / matrix));
    if (o.output == elasticity::Output::device)
      require_memory({0, matrix * double(o.elements_of(run.order))}, size, fewer);
    require_memory(memory_need(o, run), size, fewer);
  }
}

}  // namespace

void add_options(Options& options, ElasticityArguments& a) {
  ElasticityOptions& o = a.direct;
  const auto what = options.group("Elements");
  what.optional("--order", a.order, "Polynomial orders, 1..7: 2,5 or 1..3 [those of this build]");
  what.add("--elements", a.elements_word,
           "Prisms: 4096, 64k; auto: as many as have matrices of 4 GB (hosts: 128 MB); of a cantilever about: the "
           "nearest of "
           "8kxkx2k cells");
  what.add("--young", o.young, "Young's modulus E [Pa]", {is_positive, "moduli > 0"});
  what.add("--poisson", o.poisson, "Poisson's ratio nu, above -1 and below 0.5");
  what.flag("--vary", o.vary, "Give each element another material: E differs by up to half, nu by up to a tenth");
  what.add("--perturb", o.deform,
           "Vertices are moved: of matrices at random by up to this part of a prism's side, of a beam smoothly, by up "
           "to this in a unit cube; 0..0.12",
           {[](double value) { return value >= 0 && value <= 0.12; }, "parts from 0 to 0.12, which invert no prism"});

  const auto how = options.group("Way to compute them");
  how.optional(
         "--kernel", a.variant,
         "The paper's reg-jac, reg-nojac, shm-jac, shm-nojac; products, split; auto: the fastest here; all: one "
         "row per kernel, which takes an hour on one core [products,split, where they run; with --solve one of them]")
      .of(names_and<Method>({"auto", "all"}));
  how.add("--precision", o.precision, "double or single");
  how.add("--output-matrices", o.output,
          "none: a batch overwrites the last; device: all stay there; host: all are copied to the host");
  how.add("--plan", a.plan,
          "Device to plan for: this; for gtx-580, hd-5870 and h200 the plan is printed, and nothing runs")
      .of(planned_devices);

  const auto beam = options.group("A cantilever: assembled, solved by CG, held against beam theory");
  beam.flag("--solve", o.solve, "Solve the cantilever, or the body of --mesh, one row per kernel and order");
  beam.add("--cells", a.cells,
           "Cells along, across and up, two prisms each, instead of --elements: 8x1x2, or 4 for 4x4x4");
  beam.add("--length", o.beam.length, "Length of the beam over its width and height, above 0",
           {is_positive, "lengths > 0"});
  beam.add("--preconditioner", o.preconditioner, explain<elasticity::ElasticPreconditioner>());
  beam.add("--tolerance", o.cg.tolerance,
           "CG stops at |r| <= tolerance |b|, above 0 and below 1 [single precision: 1e-05]",
           {[](double value) { return value > 0 && value < 1; }, "numbers between 0 and 1"});
  beam.add("--max-iterations", o.cg.max_iterations, "CG gives up after this many iterations", positive_whole);

  add_body_options(options, o);

  const auto run = options.group("Run");
  run.add("--partition", o.partition, "Of the cells of what is solved over ranks: " + explain<graph::Partition>());
  run.repeat(o.repeat);
  run.flag("--verify-only", o.verify_only, "Stop after the comparison with the reference");
  run.output(o, "one record per kernel and order");
}

ElasticityOptions check(const ElasticityArguments& a, const Options& options) {
  ElasticityOptions o = a.direct;
  o.orders = orders_of(a.order);
  parse_variants(a.variant.empty() ? default_variants(a, o.orders.front()) : a.variant, o);
  o.elements = a.elements_word == "auto" ? 0 : parse_count("--elements", a.elements_word);
  const double most = o.vary ? 0.45 : 0.5;  // varied ratios are up to a tenth larger
  require_number("--poisson", o.poisson, o.poisson > -1 / (o.vary ? 1.1 : 1) && o.poisson < most,
                 o.vary ? "ratios from -0.9 to 0.45 with --vary" : "ratios between -1 and 0.5");
  require_single("--young", o.young, o.precision);
  if (o.precision == Precision::fp32 && !options.given("--tolerance")) o.cg.tolerance = 1e-5;
  o.limits = find_limits(a.plan);
  o.plan_only = a.plan != "this";
  if (o.plan_only && o.elements == 0) o.elements = elasticity::unlimited;
  require(!o.plan_only || (o.json.empty() && !options.given("--output-matrices")), "--plan", a.plan,
          "prints a plan only; accepted are --order, --kernel, --elements, --precision beside it");
  check_kind(options, o);
  o.ranks = Communicator::world();
  if (o.words.mesh.empty()) {
    set_beam(a, options, o);
  } else {
    check_solution(o.solution, options);
    require(o.solution.file.empty() || !o.verify_only, "--output", printable(o.solution.file, 200),
            "there is no solution with --verify-only; accepted is without it");
    require(o.solution.file.empty() || o.runs().size() == 1, "--output", printable(o.solution.file, 200),
            fmt::format("of {} solutions; accepted are one order and one kernel", o.runs().size()));
    set_body(options, o);
  }
  check_ranks(o);
  if (o.plan_only) return o;
  if (!o.solve) elasticity::keep_room_for_output(o, o.orders);
  check_memory(o);
  return o;
}

std::vector<ElasticityOptions::Run> ElasticityOptions::runs() const {
  std::vector<Run> all;
  const bool takes_fast = solve && automatic;
  for (const int order : orders)
    for (const Method method : takes_fast ? std::vector{elasticity::fast_method(order)} : methods)
      if (elasticity::why_not(method, order).empty()) all.push_back({order, method});
  return all;
}

std::string describe_size(const ElasticityOptions& o) {
  const std::string order = fmt::format("--order {}", fmt::join(o.orders, ","));
  if (o.mesh) return fmt::format("--mesh {}, {}", printable(o.words.mesh, 200), order);
  if (o.solve) return fmt::format("{}, {}", beam_size(o), order);
  return fmt::format("--elements {}, {}, --output-matrices {}", o.elements > 0 ? fmt::format("{}", o.elements) : "auto",
                     order, name(o.output));
}

MemoryNeed memory_need(const ElasticityOptions& o, const ElasticityOptions::Run& run) {
  if (!o.solve) return elasticity::matrices_need(o, run.order, run.method);
  return o.mesh ? elasticity::body_need(o, *o.mesh, run.order) : elasticity::beam_need(o, run.order);
}

MemoryNeed memory_need(const ElasticityOptions& o) {
  std::vector<MemoryNeed> needs;
  for (const ElasticityOptions::Run& run : o.runs()) needs.push_back(memory_need(o, run));
  return measure::most_of(needs);
}

}  // namespace miniapp::apps
