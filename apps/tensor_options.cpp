// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "checks.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/mesh/generate.hpp"
#include "report/table.hpp"
#include "tensor_memory.hpp"
#include "text_file.hpp"

namespace miniapp::apps {

void add_options(Options& options, TensorArguments& a) {
  const auto problem = options.group("Bake-off problem");
  problem.add(
      "--bp", a.bp,
      "Problem: 1.0 mass, 3.0 stiffness + mass at Gauss points, 3.5 the same collocated; CEED's with lambda 0: bp1 "
      "bp3 bp5, and bp2 bp4 bp6 of three components");
  problem.optional("--components", a.components,
                   "Components of the unknown, 1..3, all with one operator [1; bp2 bp4 bp6: 3]");
  problem.add("--order", a.order, "Polynomial order, 1..15");
  problem.add("--elements", a.elements, "Hexahedra, in a box as cubical as the number allows");
  for (const auto& [name, value] : {std::pair<std::string, int*>{"--nx", &a.nx}, {"--ny", &a.ny}, {"--nz", &a.nz}})
    problem.optional(name, *value, "Hexahedra along " + name.substr(3) + ", instead of --elements");
  problem.add("--deform", a.deform, "Amplitude of the smooth deformation of the unit cube [m]; 0: plain");
  problem.add("--lambda", a.lambda, "Screening constant of BP3.x, >= 0 [1/m^2]");
  problem.add("--rhs", a.rhs, "manufactured: known solution; random: rough");
  problem.optional("--boundary", a.boundary, "dirichlet or neumann [neumann for BP1.0, else dirichlet]");
  problem.add("--reorder", a.reorder,
              "Order of elements and nodes: none, rcm, gps, metis, blocks, bisection (on the device)");

  const auto solver = options.group("Solver");
  solver.optional("--tolerance", a.tolerance, "CG stops at |r| <= tolerance |b| [1e-12; single precision 1e-5]");
  solver.add("--max-iterations", a.max_iterations, "CG gives up after so many iterations");
  solver.add("--preconditioner", a.preconditioner, "none or jacobi");
  solver.add("--cg", a.cg, "classic; fused: three passes per iteration, scalars stay on the device");

  const std::vector<tensor::Kernel> kernels = tensor::kernels();  // the last rung stands before the last three
  const auto run = options.group("Run");
  run.add("--kernel", a.kernel,
          fmt::format("reference, rung1 .. {}, lines, tiles, lanes; auto: the fastest here; all: every one but the "
                      "reference",
                      name(kernels[kernels.size() - 4])));
  run.add("--assembly", a.assembly,
          "How elements' values are added: fused, as the kernel does it; or from E-vectors by the plans of miniapp "
          "indirect: atomic, staged, global, hierarchical, owner");
  run.add("--geometry", a.geometry,
          "computed: trilinear elements, from their vertices; stored: factors of every point; auto: the faster");
  run.file("--tuning", a.tuning, "Table of the fastest kernels that auto goes by, as miniapp tune writes it");
  run.optional("--sweep", a.sweep,
               "elements: cubes of 1, 8, 64, .. up to --elements; order: all that are built; one row per case");
  run.add("--precision", a.precision, "double or single");
  run.add("--repeat", a.repeat, "Timed repetitions");
  run.flag("--verify-only", a.verify_only, "Stop after the comparison with the reference");
  run.flag("--no-solve", a.no_solve, "Measure the kernels only, without CG");
  run.flag("--quiet", a.quiet, "Print no progress");
  run.file("--json", a.json, "Append one record per kernel to this file");
}

namespace {

/// The longest side of a box over the shortest, rounded down.
int slenderness(const std::array<int, 3>& box) {
  return *std::max_element(box.begin(), box.end()) / *std::min_element(box.begin(), box.end());
}

/// A note where a number of elements with a large prime factor makes a needle; it names the nearest one that does not.
std::string describe_needle(int elements, const std::array<int, 3>& box) {
  if (slenderness(box) <= 4) return "";
  for (int apart = 1;; ++apart) {  // ends at a cube at the latest
    for (const int near :
         {elements - apart, elements > std::numeric_limits<int>::max() - apart ? 0 : elements + apart}) {
      if (near < 1) continue;
      const auto other = mesh::cubical(near);
      if (slenderness(other) == 1)
        return fmt::format("a needle: {} elements make {} at best, {} make {}", elements, fmt::join(box, " x "), near,
                           fmt::join(other, " x "));
    }
  }
}

void set_box(const TensorArguments& a, const Options& options, TensorOptions& o) {
  const bool sides = options.given("--nx") || options.given("--ny") || options.given("--nz");
  require_number("--elements", a.elements, a.elements > 0, "whole numbers > 0");
  if (!sides) {
    const auto box = mesh::cubical(a.elements);
    o.nx = box[0];
    o.ny = box[1];
    o.nz = box[2];
    o.shape_note = describe_needle(a.elements, box);
    return;
  }
  require(!options.given("--elements"),
          "--elements: contradicts --nx --ny --nz; accepted is one or the other, in the config file too");
  for (const auto& [name, value] : {std::pair<const char*, int>{"--nx", a.nx}, {"--ny", a.ny}, {"--nz", a.nz}}) {
    require(options.given(name), fmt::format("{}: missing; accepted are --nx --ny --nz together, or --elements", name));
    require_number(name, value, value > 0, "whole numbers > 0");
  }
  o.nx = a.nx;
  o.ny = a.ny;
  o.nz = a.nz;
}

void set_problem(const TensorArguments& a, const Options& options, TensorOptions& o) {
  const tensor::ProblemChoice choice = tensor::parse_problem(a.bp);
  o.problem = choice.problem;
  o.components = options.given("--components") ? a.components : choice.components;
  require_number("--components", o.components, o.components >= 1 && o.components <= 3, "1..3");
  require(!choice.ceed || o.components == choice.components,
          fmt::format("--components {}: {} has {}; use --bp 1.0, 3.0 or 3.5", o.components, a.bp, choice.components));
  const bool stiffness = tensor::has_stiffness(o.problem);
  if (options.given("--lambda")) {
    require(stiffness, fmt::format("--lambda {}: BP1.0 has no lambda; leave it out", a.lambda));
    require(!choice.ceed, fmt::format("--lambda {}: {} means lambda 0; use --bp 3.0 or 3.5", a.lambda, a.bp));
  }
  require_number("--lambda", a.lambda, a.lambda >= 0, "numbers >= 0");
  o.lambda = choice.ceed || !stiffness ? 0 : a.lambda;
  o.boundary = stiffness ? space::Boundary::dirichlet : space::Boundary::neumann;
  if (!a.boundary.empty()) o.boundary = choose<space::Boundary>("--boundary", a.boundary);
  require(!stiffness || o.lambda > 0 || o.boundary == space::Boundary::dirichlet,
          "--boundary neumann with lambda 0 is singular; accepted are --boundary dirichlet or --lambda > 0");
}

/// The geometry that --geometry names, if any.
std::optional<tensor::Geometry> wanted_geometry(const TensorArguments& a) {
  const std::size_t choice = choose("--geometry", a.geometry, {"auto", "stored", "computed"});
  if (choice == 0) return {};
  return choice == 1 ? tensor::Geometry::stored : tensor::Geometry::computed;
}

tensor::TuningTable read_tuning(const std::string& file) {
  if (file.empty()) return tensor::built_in_tuning();
  const std::string text = read_text("--tuning", file, "what miniapp tune writes");
  return tensor::TuningTable(text, "--tuning " + file);
}

/// The variants of --kernel all: those that can run, and why the others cannot.
void set_all_variants(std::optional<tensor::Geometry> geometry, TensorOptions& o) {
  for (const tensor::Variant& variant : tensor::all_variants()) {
    if (variant.kernel == tensor::Kernel::reference || (geometry && variant.geometry != *geometry)) continue;
    const std::string reason = tensor::why_not(variant, o.problem, o.order, o.word());
    if (reason.empty())
      o.variants.push_back(variant);
    else
      o.skipped.push_back(fmt::format("{}: {}", tensor::name(variant), reason));
  }
}

void set_variants(const TensorArguments& a, TensorOptions& o) {
  using tensor::Kernel;
  const std::optional<tensor::Geometry> geometry = wanted_geometry(a);
  const tensor::TuningTable table = read_tuning(a.tuning);
  std::vector<std::string> names;
  const std::vector<Kernel> kernels = tensor::kernels();
  for (const Kernel kernel : kernels) names.push_back(name(kernel));
  names.insert(names.end(), {"auto", "all"});
  const std::size_t choice = choose("--kernel", a.kernel, names);
  const tensor::TuningTable::Key key{device_class(), o.problem, o.word(), o.order};
  if (a.kernel == "all") {
    set_all_variants(geometry, o);
    if (o.variants.empty()) tensor::fastest(table, key, geometry);  // throws the reason
  } else if (a.kernel == "auto") {
    o.variants = {tensor::fastest(table, key, geometry)};
  } else {
    const auto kernel = kernels[choice];
    const auto all = tensor::all_variants();
    tensor::Variant variant = *std::find_if(all.begin(), all.end(), [&](auto& v) { return v.kernel == kernel; });
    if (geometry) variant.geometry = *geometry;
    const std::string reason = tensor::why_not(variant, o.problem, o.order, o.word());
    require(reason.empty(),
            fmt::format("--kernel {}{}: {}", a.kernel, geometry ? " --geometry " + a.geometry : "", reason));
    if (kernel != Kernel::reference && !geometry) {  // the faster geometry, where the kernel is the fastest
      const tensor::Variant fastest = tensor::fastest(table, key);
      if (fastest.kernel == kernel) variant = fastest;
    }
    o.variants = {variant};
  }
}

void check_memory(const TensorOptions& o) {
  const double nodes = (double(o.nx) * o.order + 1) * (double(o.ny) * o.order + 1) * (double(o.nz) * o.order + 1);
  const std::string size = describe_size(o);
  require(nodes * o.components <= 2147483647.0,
          fmt::format("{}: {:.3g} nodes{}; accepted are up to 2147483647", size, nodes,
                      o.components > 1 ? fmt::format(" of {} components", o.components) : ""));
  require_memory(memory_need(o), size, "smaller problems");
}

TensorOptions check_case(const TensorArguments& a, const Options& options) {
  TensorOptions o{};
  require_number("--order", a.order, a.order >= 1 && a.order <= 15, "1..15");
  o.order = a.order;
  set_problem(a, options, o);
  set_box(a, options, o);
  o.precision = choose<Precision>("--precision", a.precision);
  set_variants(a, o);
  o.reorder = choose<graph::Reorder>("--reorder", a.reorder);
  const std::string no_reorder = graph::why_not(o.reorder);
  require(no_reorder.empty(), fmt::format("--reorder {}: {}", a.reorder, no_reorder));
  const std::size_t assembly =
      choose("--assembly", a.assembly, {"fused", "atomic", "staged", "global", "hierarchical", "owner"});
  if (assembly > 0) o.assembly = static_cast<indirect::Strategy>(assembly);  // in the order of the enum
  for (const tensor::Variant& variant : o.variants)
    require(
        assembly == 0 || variant.kernel != tensor::Kernel::reference,
        fmt::format("--assembly {}: --kernel reference has no E-vectors to assemble; accepted is fused", a.assembly));
  o.rhs = choose<Rhs>("--rhs", a.rhs);
  o.cg = choose<Cg>("--cg", a.cg);
  o.preconditioner = choose<Preconditioner>("--preconditioner", a.preconditioner);
  require_number("--deform", a.deform, true, "finite numbers");
  o.deform = a.deform;
  const bool single = o.precision == Precision::fp32;
  o.tolerance = options.given("--tolerance") ? a.tolerance : single ? 1e-5 : 1e-12;
  const double least = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  require_number("--tolerance", o.tolerance, o.tolerance >= least && o.tolerance < 1,
                 fmt::format("numbers from {:.2g} to 1 in {} precision", least, a.precision));
  require_number("--max-iterations", a.max_iterations, a.max_iterations > 0, "whole numbers > 0");
  require_number("--repeat", a.repeat, a.repeat > 0, "whole numbers > 0");
  o.max_iterations = a.max_iterations;
  o.repeat = a.repeat;
  o.verify_only = a.verify_only;
  o.no_solve = a.no_solve;
  o.quiet = a.quiet;
  o.sweep = !a.sweep.empty();
  o.json = a.json;
  require(o.boundary == space::Boundary::neumann || o.order > 1 || (o.nx > 1 && o.ny > 1 && o.nz > 1),
          fmt::format(
              "--boundary dirichlet: order 1 on {} x {} x {} elements has no free node; accepted are finer meshes{}",
              o.nx, o.ny, o.nz, o.shape_note.empty() ? "" : " (" + o.shape_note + ")"));
  check_memory(o);
  return o;
}

/// The argument lists of a sweep.
std::vector<TensorArguments> make_sweep(const TensorArguments& a, const Options& options) {
  std::vector<TensorArguments> cases;
  if (choose("--sweep", a.sweep, {"elements", "order"}) == 0) {
    require(!options.given("--nx"),
            "--sweep elements: contradicts --nx --ny --nz; accepted is --elements, the largest");
    // the smallest with a free node
    const bool dirichlet =
        a.boundary.empty() ? tensor::has_stiffness(tensor::parse_problem(a.bp).problem) : a.boundary == "dirichlet";
    for (std::int64_t n = dirichlet && a.order == 1 ? 2 : 1; n * n * n <= a.elements; n *= 2) {
      cases.push_back(a);
      cases.back().elements = static_cast<int>(n * n * n);
    }
    if (cases.empty() || cases.back().elements < a.elements) cases.push_back(a);
  } else {
    require(!options.given("--order"), "--sweep order: contradicts --order; accepted is one or the other");
    for (const int order : tensor::built_orders()) {
      cases.push_back(a);
      cases.back().order = order;
    }
  }
  return cases;
}

}  // namespace

std::vector<TensorOptions> check(const TensorArguments& a, const Options& options) {
  std::vector<TensorOptions> cases;
  for (const TensorArguments& arguments : a.sweep.empty() ? std::vector{a} : make_sweep(a, options))
    cases.push_back(check_case(arguments, options));
  return cases;
}

}  // namespace miniapp::apps
