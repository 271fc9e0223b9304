// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tensor/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/text_file.hpp"
#include "apps/tensor/problem.hpp"
#include "core/printable.hpp"
#include "miniapp/messages/messages.hpp"
#include "runs/tensor/choice.hpp"
#include "runs/tensor/memory.hpp"
#include "tensor/ladder/ladder_rules.hpp"

namespace miniapp::apps {
namespace {

const std::vector<std::string> geometries{"auto", "stored", "computed", "affine", "boxes"},
    assemblies{"fused", "atomic", "staged", "global", "hierarchical", "owner"};

/// What --kernel accepts.
std::vector<std::string> names_of_kernels() {
  std::vector<std::string> names;
  for (const tensor::Kernel kernel : tensor::kernels()) names.push_back(name(kernel));
  names.insert(names.end(), {"auto", "all"});
  return names;
}

/// The names of the kernels, those of rungs as a range.
std::string list_kernels() {
  std::vector<std::string> rungs, words;
  for (const tensor::Kernel kernel : tensor::kernels())
    (tensor::is_rung(kernel) ? rungs : words).push_back(name(kernel));
  words.insert(words.begin() + 1, rungs.front() + " .. " + rungs.back());
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void add_options(Options& options, TensorArguments& a) {
  TensorOptions& o = a.direct;
  o.preconditioner = tensor::Preconditioner::automatic;
  const auto problem = options.group("Bake-off problem");
  problem
      .add("--bp", a.bp,
           "Problem: " + explain<tensor::Problem>() +
               "; CEED's with lambda 0: bp1 bp3 bp5, and bp2 bp4 bp6 of three components")
      .of(tensor::problem_words());
  problem.optional("--components", o.components,
                   "Components of the unknown, 1..3, all with one operator [1; bp2 bp4 bp6: 3]",
                   {[](double value) { return value >= 1 && value <= 3; }, "1..3"});
  problem.add("--order", a.orders, "Polynomial orders, 1..15: 7 or 1..3,7; one row per order");
  problem.add("--elements", a.hexahedra, "Hexahedra, in a box as cubical as the number allows: 4096, 64k",
              positive_whole);
  problem.optional("--cells", a.cells, "Hexahedra along x, y and z, instead of --elements: 8x4x2, or 8 for 8x8x8");
  problem.add("--mesh-map", o.mesh_map, "How the unit cube is mapped, " + explain<tensor::MeshMap>());
  problem.add("--eps", o.eps, "Kershaw's eps, of the thinnest elements against the mean, 0.05..1; 1: none",
              {[](double value) { return value >= 0.05 && value <= 1; }, "numbers from 0.05 to 1"});
  problem.add("--deform", o.deform, "Amplitude of the smooth deformation of the unit cube [m]; 0: none", any_finite);
  problem.add("--lambda", o.lambda, "Screening constant of BP3.x, >= 0 [1/m^2]",
              {[](double value) { return value >= 0; }, "numbers >= 0"});
  problem.add("--rhs", o.rhs, explain<tensor::Rhs>());
  problem.optional("--boundary", a.wanted_boundary, "dirichlet or neumann [neumann for BP1.0, else dirichlet]");
  problem.add("--reorder", o.reorder,
              "Order of elements and nodes: none, rcm, gps, metis, blocks, bisection (on the device)");

  add_problem_options(options, o);

  const auto solver = options.group("Solver");
  solver.optional("--tolerance", o.tolerance,
                  "CG stops at |r| <= tolerance |b|, below 1 [1e-12; single precision 1e-5]");
  solver.add("--max-iterations", o.max_iterations, "CG gives up after this many iterations", positive_whole);
  solver.add("--preconditioner", o.preconditioner, explain<tensor::Preconditioner>());
  solver.add("--smoother", o.multigrid.smoother, "Of p-multigrid, " + explain<multigrid::Smoother>());
  solver.optional(
      "--smoother-degree", o.multigrid.degree,
      "Chebyshev's degree, of chebyshev, and of p-multigrid before and after lower orders, 1..20 [chebyshev "
      "4; p-multigrid 3, with schwarz 1 on meshes of mild deformation]",
      {[](double value) { return value >= 1 && value <= 20; }, "1..20"});
  solver.add("--lowest-order", o.multigrid.lowest,
             "How several ranks do order 1 of p-multigrid: " + explain<multigrid::LowestWork>());
  solver.flag("--compare-jacobi", o.compare_jacobi, "Solve by fused CG with Jacobi too, to compare the times");
  solver.add("--cg", o.cg, explain<tensor::Cg>());

  const auto run = options.group("Run");
  run.add("--kernel", a.kernel,
          list_kernels() + ", one row each; auto: the fastest here; all: every one but the reference")
      .of(names_of_kernels());
  run.add("--assembly", a.assembly,
          "How elements' values are added: fused, as the kernel does it; or from E-vectors by the plans of miniapp "
          "indirect: atomic, staged, global, hierarchical, owner")
      .of(assemblies);
  run.flag(
      "--reproducible", o.reproducible,
      "Add in a fixed order, so that every run on as many threads and ranks gives the same bits; on GPUs and several "
      "threads with --preconditioner none or jacobi, and kernels that add on their own by --assembly owner");
  run.add(
         "--geometry", a.geometry,
         "computed: trilinear elements, from their vertices; stored: factors of every point; affine: elements with "
         "parallel edges and no coefficient, factors of every element; boxes: those with right angles, matrices of one "
         "direction; auto: the fastest")
      .of(geometries);
  run.optional("--tuning", a.tuning, "Table of the fastest kernels that auto goes by, as miniapp tune writes it")
      .input();
  run.optional("--sweep", o.sweep,
               "elements: cubes of 1, 8, 64, .. up to --elements, with an element per rank; order: all that are built; "
               "one row per case");
  run.flag("--weak", o.weak,
           "Elements are those of each rank: the box grows along its sides of fewest elements, which keep their shape");
  run.add("--partition", o.partition, "Of the elements over ranks: " + explain<graph::Partition>());
  run.add("--halo", o.halo, "How values travel between ranks: " + explain<Halo>());
  run.add("--precision", o.precision, "double or single");
  run.repeat(o.repeat);
  run.flag("--verify-only", o.verify_only, "Stop after the comparison with the reference");
  run.flag("--no-solve", o.no_solve, "Measure the kernels only, without CG");
  run.output(o, "one record per kernel");
}

namespace {

/// So many times as many elements: factors of `times`, the largest first, go to the shortest side.
void multiply_elements(TensorOptions& o, int times) {
  std::vector<int> factors;
  for (int factor = 2; times > 1; ++factor)
    for (; times % factor == 0; times /= factor) factors.push_back(factor);
  for (; !factors.empty(); factors.pop_back()) {
    const std::array<int*, 3> sides{&o.nx, &o.ny, &o.nz};
    std::size_t shortest = 2;
    for (std::size_t i : {1, 0})
      if (*sides[i] < *sides[shortest]) shortest = i;
    *sides[shortest] *= factors.back();
    o.lengths[shortest] *= factors.back();
  }
}

void set_box(const TensorArguments& a, const Options& options, TensorOptions& o) {
  if (o.mesh) {
    options.refuse({"--elements", "--cells", "--mesh-map", "--eps", "--deform", "--weak"},
                   "of the box; accepted without --mesh FILE");
    require(o.sweep != Sweep::elements, "--sweep", "elements", "of boxes; accepted without --mesh FILE");
    return;
  }
  if (!options.given("--cells")) {
    o.set_elements(a.hexahedra);
    o.shape_note = tensor::describe_needle(o);
    return;
  }
  options.refuse({"--elements"}, "contradicts --cells; accepted is one or the other, in the config file too");
  const std::array<int, 3> sides = parse_box("--cells", a.cells);
  o.nx = sides[0];
  o.ny = sides[1];
  o.nz = sides[2];
}

void check_map(const TensorOptions& o, const Options& options) {
  if (o.mesh_map == tensor::MeshMap::kershaw)
    options.refuse({"--deform"}, "of the smooth map; accepted without --mesh-map kershaw");
  else
    options.refuse({"--eps"}, "of Kershaw's map; accepted with --mesh-map kershaw");
}

void set_problem(const TensorArguments& a, const Options& options, TensorOptions& o) {
  const tensor::ProblemChoice choice = tensor::parse_problem(a.bp);
  o.problem = choice.problem;
  if (!options.given("--components")) o.components = choice.components;
  require(!choice.ceed || o.components == choice.components, "--components", o.components,
          fmt::format("{} has {}; use --bp {}", a.bp, choice.components, name(o.problem).substr(2)));
  const bool stiffness = tensor::has_stiffness(o.problem);
  if (options.given("--lambda")) {
    require(stiffness, "--lambda", fmt::format("{}", a.direct.lambda),
            fmt::format("{} has no lambda; leave it out", name(o.problem)));
    require(!choice.ceed, "--lambda", fmt::format("{}", a.direct.lambda),
            fmt::format("{} means lambda 0; use --bp {}", a.bp, name(o.problem).substr(2)));
  }
  if (choice.ceed || !stiffness) o.lambda = 0;
  o.boundary = a.wanted_boundary.value_or(tensor::usual_boundary(o.problem));
  require(!stiffness || o.lambda > 0 || o.boundary == space::Boundary::dirichlet,
          InputError("--boundary neumann with lambda 0 is singular; accepted are --boundary dirichlet or --lambda > 0",
                     "--boundary"));
}

tensor::TuningTable read_tuning(const std::string& file) {
  if (file.empty()) return tensor::built_in_tuning();
  const std::string text = read_text("--tuning", file, "what miniapp tune writes");
  return of_option("--tuning", [&] { return tensor::TuningTable(text, file); });
}

/// Whose entries of the table --kernel auto follows here.
std::string describe_choice(const tensor::TuningTable& table) {
  const std::string own = device_class(), device = tensor::tuned_device(table, own);
  if (device.empty()) return fmt::format("no table for {}: miniapp tune measures one", own);
  return device == own ? "by the table for " + own
                       : fmt::format("by the table for {}, since there is none for {}", device, own);
}

void set_variants(const TensorArguments& a, TensorOptions& o) {
  auto geometry = choose_optional<tensor::Geometry>("--geometry", a.geometry, geometries);
  const std::optional<tensor::Geometry> given = geometry;
  if (o.mesh && !o.mesh->curved.empty()) {
    require(!geometry || geometry == tensor::Geometry::stored, "--geometry", a.geometry,
            "is of straight elements; accepted with curved ones are auto, stored");
    geometry = tensor::Geometry::stored;
  }
  const mesh::Shape shape = tensor::shape_of(o);
  const bool has_coefficient = !o.user.coefficient.empty();
  if (geometry) {
    const std::string reason = tensor::why_not(*geometry, shape, has_coefficient);
    require(reason.empty(), "--geometry", a.geometry,
            reason + "; accepted here are auto, " + tensor::accepted_geometries(shape, has_coefficient));
  }
  const auto takes_problem = [&](tensor::Kernel kernel) {
    return !has_coefficient || tensor::takes_coefficient(kernel);
  };
  const std::optional<tensor::Geometry> special = tensor::special_geometry(shape, has_coefficient);
  const tensor::TuningTable table = read_tuning(a.tuning);
  const std::vector<tensor::Kernel> kernels = tensor::kernels();
  for (const std::string& word : a.kernel) {
    const std::size_t choice = choose("--kernel", word, names_of_kernels());
    if (word == "all") {
      const tensor::Choice all = tensor::all_kernels(o, geometry, shape);
      o.variants.insert(o.variants.end(), all.variants.begin(), all.variants.end());
      o.skipped = all.skipped;
    } else if (word == "auto") {
      const tensor::Variant fastest = tensor::fastest(table, tensor::tuning_key(o), geometry ? geometry : special);
      o.variants.push_back(takes_problem(fastest.kernel) ? fastest
                                                         : tensor::Variant{tensor::Kernel::lines, fastest.geometry});
    } else {
      require(takes_problem(kernels[choice]), "--kernel", word,
              "has no coefficient; accepted with --coefficient are others");
      o.variants.push_back(tensor::choose_geometry(
          kernels[choice], kernels[choice] == tensor::Kernel::reference ? given : geometry, table, o, shape));
      require_able("--kernel " + word + (geometry ? " --geometry " + a.geometry : ""),
                   tensor::why_not(o.variants.back(), o.problem, o.order, o.word()));
    }
  }
  if (o.variants.empty()) o.variants = {tensor::fastest(table, tensor::tuning_key(o), geometry)};  // or the reason
  if (!geometry && a.kernel == std::vector<std::string>{"auto"})
    o.tuning_note = special == tensor::Geometry::boxes    ? "since all elements have right angles"
                    : special == tensor::Geometry::affine ? "since the edges of each element are parallel"
                                                          : describe_choice(table);
}

/// The built-in table is of one processor of a class. Where it has stored factors, and nothing else was asked for,
/// large cases find out, if they apply the operator often: multigrid takes few iterations.
void set_trial(const TensorArguments& a, TensorOptions& o) {
  constexpr double large = 100e3;  // nodes: a trial of smaller ones costs more than it may bring
  const tensor::Variant stored{tensor::Kernel::lanes, tensor::Geometry::stored},
      computed{tensor::Kernel::lanes, tensor::Geometry::computed};
  const bool is_wanted = a.geometry == "auto" && a.tuning.empty() && !o.verify_only && !o.reproducible;
  const bool applies_often = o.no_solve || tensor::is_pointwise(o.preconditioner) || o.chebyshev();
  o.tries_computed = runs_on_host && is_wanted && applies_often && o.variants == std::vector{stored} &&
                     !(o.mesh && !o.mesh->curved.empty()) && o.nodes() * o.components >= large &&
                     tensor::why_not(computed, o.problem, o.order, o.word()).empty();
}

void set_assembly(const TensorArguments& a, TensorOptions& o) {
  o.assembly = choose_optional<indirect::Strategy>("--assembly", a.assembly, assemblies);
  if (!o.assembly) return;
  for (const tensor::Variant& variant : o.variants)
    require(variant.kernel != tensor::Kernel::reference, "--assembly", a.assembly,
            "--kernel reference has no E-vectors to assemble; accepted is fused");
}

/// What adds in any order is replaced where it was not asked for, or refused.
void set_reproducible(const Options& options, TensorOptions& o) {
  if (!o.reproducible || has_one_thread) return;
  require(!o.is_given(), "--reproducible", "",
          "a given problem adds in any order; accepted on several threads are bake-off problems on the box");
  const bool fuses = std::any_of(o.variants.begin(), o.variants.end(), [](const tensor::Variant& variant) {
    return variant.kernel == tensor::Kernel::lines || variant.kernel == tensor::Kernel::tiles;
  });
  if (fuses && !options.given("--assembly")) o.assembly = indirect::Strategy::owner;
  const bool is_fixed =
      o.assembly ? *o.assembly != indirect::Strategy::atomic && *o.assembly != indirect::Strategy::hierarchical
                 : !fuses;
  require(is_fixed, "--assembly", o.assembly ? indirect::name(*o.assembly) : "fused",
          "adds in any order; accepted with --reproducible are staged, global, owner");
  if (o.preconditioner == tensor::Preconditioner::automatic) {
    o.chosen = true;
    o.preconditioner = tensor::Preconditioner::jacobi;
  }
  require(is_pointwise(o.preconditioner), "--preconditioner", name(o.preconditioner),
          "adds in any order; accepted with --reproducible are none, jacobi");
}

void set_tolerance(const Options& options, TensorOptions& o) {
  const bool single = o.precision == Precision::fp32;
  if (!options.given("--tolerance")) o.tolerance = single ? 1e-5 : 1e-12;
  const double least = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  require_number("--tolerance", o.tolerance, o.tolerance >= least && o.tolerance < 1,
                 fmt::format("numbers from {:.2g} to 1 in {} precision", least, name(o.precision)));
}

/// CG's default gives way to a preconditioner that it cannot take; one that is given does not.
void set_cg(const Options& options, TensorOptions& o) {
  if (o.preconditioner == tensor::Preconditioner::automatic) {
    o.chosen = true;
    if (!(options.given("--cg") && is_pointwise(o.cg))) return;
    o.preconditioner = tensor::Preconditioner::jacobi;
  }
  if (is_pointwise(o.preconditioner) || !is_pointwise(o.cg)) return;
  require(!options.given("--cg"), "--cg", name(o.cg),
          fmt::format("needs a pointwise preconditioner, none or jacobi; accepted with --preconditioner {} is classic",
                      name(o.preconditioner)));
  o.cg = tensor::Cg::classic;
}

/// Several ranks take what exchanges unknowns between them.
void set_ranks(TensorOptions& o) {
  if (o.ranks.is_alone()) return;
  require_able("--halo " + name(o.halo), messages::why_not(o.halo));
  require(o.elements() >= o.ranks.size(),
          about(describe_size(o), fmt::format("{} ranks for {} elements; accepted are no more ranks than elements",
                                              o.ranks.size(), o.elements())));
  require(!is_low_order(o.preconditioner), "--preconditioner", name(o.preconditioner),
          fmt::format("runs on one rank; accepted on {} are none, jacobi, chebyshev, p-multigrid", o.ranks.size()));
}

void set_multigrid(const Options& options, TensorOptions& o) {
  if (o.chebyshev() && o.multigrid.degree == 0) o.multigrid.degree = multigrid::usual_polynomial_degree;
  if (!o.p_multigrid())
    options.refuse({"--smoother"}, "of multigrid over orders; accepted with --preconditioner p-multigrid");
  if (!o.p_multigrid() && !o.chebyshev())
    options.refuse({"--smoother-degree"},
                   "of Chebyshev's iteration; accepted with --preconditioner chebyshev or p-multigrid");
  if (!o.p_multigrid())
    options.refuse({"--lowest-order"}, "of multigrid over orders; accepted with --preconditioner p-multigrid");
  require(!o.p_multigrid() || o.order > 1, "--preconditioner", "p-multigrid",
          "order 1 has no lower one; accepted with --order 1 is lor-amg");
}

void check_size(const TensorOptions& o) {
  require(o.is_given() || o.boundary == space::Boundary::neumann || o.order > 1 || (o.nx > 1 && o.ny > 1 && o.nz > 1),
          "--boundary", "dirichlet",
          fmt::format("order 1 on {} x {} x {} elements has no free node; accepted are finer meshes{}", o.nx, o.ny,
                      o.nz, o.shape_note.empty() ? "" : " (" + o.shape_note + ")"));
  const std::string size = describe_size(o);
  require(o.own_nodes() * o.components <= 2147483647.0,
          about(size, fmt::format("{:.3g} nodes{}{}; accepted are up to 2147483647", o.own_nodes(),
                                  o.components > 1 ? fmt::format(" of {} components", o.components) : "",
                                  o.ranks.is_alone() ? "" : " per rank")));
  if (is_low_order(o.preconditioner))
    require(tensor::low_order_entries(o) <= 2147483647.0, "--preconditioner", name(o.preconditioner),
            fmt::format("{}: {:.3g} entries of the low-order matrix; accepted are up to 2147483647", size,
                        tensor::low_order_entries(o)));
  require_memory(memory_need(o), size, "smaller problems");
}

TensorOptions check_case(const TensorArguments& a, const Options& options) {
  TensorOptions o = a.direct;
  o.ranks = Communicator::world().through(o.halo);
  set_problem(a, options, o);
  set_box(a, options, o);
  if (o.weak) multiply_elements(o, o.ranks.size());
  set_user(options, o);
  set_ranks(o);
  check_map(o, options);
  set_variants(a, o);
  require_able("--reorder " + name(o.reorder), graph::why_not(o.reorder));
  set_assembly(a, o);
  set_reproducible(options, o);
  require_single("--lambda", o.lambda, o.precision, 0);
  set_tolerance(options, o);
  set_cg(options, o);
  set_multigrid(options, o);
  set_fields(o);
  set_trial(a, o);
  check_size(o);
  return o;
}

/// Cubes of 1, 8, 64, .. elements up to those of --elements, from the first that has an element per rank on.
std::vector<TensorArguments> make_sizes(const TensorArguments& a) {
  std::vector<TensorArguments> cases;
  const space::Boundary boundary =
      a.wanted_boundary.value_or(tensor::usual_boundary(tensor::parse_problem(a.bp).problem));
  const int ranks = a.direct.weak ? 1 : Communicator::world().size();
  // the smallest with a free node
  for (std::int64_t n = boundary == space::Boundary::dirichlet && a.direct.order == 1 ? 2 : 1; n * n * n <= a.hexahedra;
       n *= 2) {
    if (n * n * n < ranks) continue;
    cases.push_back(a);
    cases.back().hexahedra = static_cast<int>(n * n * n);
  }
  if (cases.empty() || cases.back().hexahedra < a.hexahedra) cases.push_back(a);
  return cases;
}

/// The arguments of each case of a sweep, or of the only case.
std::vector<TensorArguments> make_cases(const TensorArguments& a, const Options& options) {
  std::vector<int> orders = parse_list("--order", a.orders, 1, 15);
  if (a.direct.sweep == Sweep::order) {
    require(!options.given("--order"), "--sweep", "order", "contradicts --order; accepted is one or the other");
    orders = tensor::built_orders();
  }
  if (a.direct.sweep == Sweep::elements)
    options.refuse({"--cells"}, "contradicts --sweep elements; accepted is --elements, the largest");
  std::vector<TensorArguments> cases;
  for (const int order : orders) {
    TensorArguments one = a;
    one.direct.order = order;
    if (orders.size() > 1 && !one.direct.sweep) one.direct.sweep = Sweep::order;
    const std::vector<TensorArguments> sizes = one.direct.sweep == Sweep::elements ? make_sizes(one) : std::vector{one};
    cases.insert(cases.end(), sizes.begin(), sizes.end());
  }
  return cases;
}

}  // namespace

std::vector<TensorOptions> check(const TensorArguments& a, const Options& options) {
  std::vector<TensorOptions> cases;
  TensorArguments all = a;
  check_solution(all.direct.output, options);
  read_mesh(all.direct);
  for (const TensorArguments& arguments : make_cases(all, options)) cases.push_back(check_case(arguments, options));
  return cases;
}

std::string describe_size(const TensorOptions& o) {
  if (o.mesh) return fmt::format("--mesh {} of --order {}", printable(o.words.mesh, 200), o.order);
  return fmt::format("{} x {} x {} elements of --order {}", o.nx, o.ny, o.nz, o.order);
}

MemoryNeed memory_need(const TensorOptions& o) {
  std::vector<MemoryNeed> kernels;
  for (const tensor::Variant& variant : o.variants) kernels.push_back(tensor::memory_need(o, variant));
  return measure::most_of(kernels);
}

}  // namespace miniapp::apps
