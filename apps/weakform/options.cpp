// SPDX-License-Identifier: BSD-3-Clause
#include "apps/weakform/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/history_file.hpp"
#include "apps/frontend/text_file.hpp"
#include "apps/frontend/tuning_file.hpp"
#include "core/printable.hpp"
#include "runs/weakform/memory.hpp"
#include "runs/weakform/ordered_form.hpp"

namespace miniapp::apps {
namespace {

using weakform::Strategy;
using weakform::Way;

/// The numbers of a list; `usual` where none is given.
std::vector<int> parse_numbers(const std::string& option, const std::vector<std::string>& words, int usual) {
  return words.empty() ? std::vector{usual} : parse_list(option, words, 1, 4096);
}

std::vector<std::string> names_of_strategies() {
  std::vector<std::string> all;
  for (const Strategy strategy : weakform::timed_strategies()) all.push_back(name(strategy));
  all.insert(all.end(), {"auto", "all"});
  return all;
}

/// The strategies of a list, with `usual` for auto.
std::vector<Strategy> parse_strategies(const std::vector<std::string>& words, Strategy usual) {
  const std::vector<Strategy> timed = weakform::timed_strategies();
  const std::vector<std::string> accepted = names_of_strategies();
  std::vector<Strategy> chosen;
  for (const std::string& word : words) {
    const std::size_t place = choose("--kernel", word, accepted);
    if (place < timed.size())
      chosen.push_back(timed[place]);
    else if (word == "auto")
      chosen.push_back(usual);
    else
      chosen.insert(chosen.end(), timed.begin(), timed.end());
  }
  return chosen;
}

/// A strategy with every value of what tunes it.
std::vector<weakform::Options> tuned(const WeakformArguments& a, Strategy strategy) {
  const weakform::Options usual{.strategy = strategy};
  const std::vector<int> blocks = parse_numbers("--blocks", a.blocks, usual.blocks),
                         batches = parse_numbers("--batches", a.batches, usual.batches);
  std::vector<weakform::Options> all;
  weakform::Options options = usual;
  if (has_blocks(strategy) && !a.block_size.empty()) {
    for (const int size : parse_numbers("--block-size", a.block_size, 0)) {
      options.block_size = size;
      all.push_back(options);
    }
  } else if (strategy == Strategy::transposed) {
    for (const int number : blocks)
      for (const int batch : batches) {
        options.blocks = number;
        options.batches = batch;
        all.push_back(options);
      }
  } else {
    all.push_back(usual);
  }
  return all;
}

/// What --tune measures.
std::vector<Way> make_rivals(const WeakformArguments& a, const Options& options) {
  options.refuse({"--kernel", "--block-size", "--blocks", "--batches", "--tuning", "--solve", "--verify-only"},
                 "--tune measures every strategy with what tunes it; accepted without --tune");
  const std::vector<graph::Reorder> orders = choose_orders(a.reorder);
  require(orders.size() == 1, "--tune", a.direct.tune,
          fmt::format("{} orders of the cells; accepted is one --reorder", orders.size()));
  std::vector<Way> ways;
  for (const weakform::Options& one : weakform::tuning_candidates()) ways.push_back({one, orders[0]});
  return ways;
}

std::vector<Way> make_ways(const WeakformArguments& a, bool generated, const Options& options) {
  if (!a.direct.tune.empty()) return make_rivals(a, options);
  const bool tiled = !a.block_size.empty() || a.direct.problem.any();
  const Strategy usual = tiled ? Strategy::tiles : weakform::usual_strategy(generated, a.direct.solve);
  const std::vector<Strategy> strategies = parse_strategies(a.strategy, usual);
  const auto has = [&](bool (*holds)(Strategy)) { return std::any_of(strategies.begin(), strategies.end(), holds); };
  if (!has([](Strategy s) { return has_blocks(s); }))
    options.refuse({"--block-size"}, "of tiles and owner; accepted with --kernel tiles, owner or all");
  if (!has([](Strategy s) { return s == Strategy::transposed; }))
    options.refuse({"--blocks", "--batches"}, "of transposed; accepted with --kernel transposed or all");
  std::vector<Way> ways;
  for (const graph::Reorder reorder : choose_orders(a.reorder))
    for (const Strategy strategy : strategies)
      for (const weakform::Options& one : tuned(a, strategy))
        ways.push_back({one, reorder, a.strategy == std::vector<std::string>{"auto"} && a.block_size.empty()});
  return ways;
}

/// A user's problem is one form on the groups of a file.
void check_problem(const WeakformOptions& o, const Options& options) {
  if (!o.solve || o.generated())
    options.refuse({"--coefficient", "--source", "--dirichlet", "--neumann", "--robin", "--exact"},
                   "of a problem of your own; accepted with --solve --mesh FILE");
  if (!o.problem.any()) return;
  require(o.forms.size() == 1, "--form", "all", "accepted with a problem of your own is one form");
  const weakform::FormKind form = o.forms.front();
  require(facts(form, o.dim).takes_kappa || o.problem.coefficient.empty(), "--coefficient",
          printable(o.problem.coefficient.empty() ? "" : o.problem.coefficient.front(), 200),
          fmt::format("{} has no kappa; accepted with variable-poisson, neo-hookean", name(form)));
  require(!o.problem.dirichlet.empty() || !o.problem.robin.empty(),
          InputError("a problem of your own without --dirichlet and --robin leaves u open by a constant; accepted is "
                     "one of these",
                     "--dirichlet"));
  if (o.problem.has_file())
    options.refuse({"--reorder", "--shuffle"}, "of cells that have values from a file; accepted without @FILE");
  require(o.precision == Precision::fp64, "--precision", name(o.precision),
          "accepted with a problem of your own is double");
  for (const Way& way : o.ways)
    require(weakform::is_loop(way.options.strategy), "--kernel", name(way.options.strategy),
            "accepted with a problem of your own are cells, tiles, owner");
}

/// Checks and completes what Newton's method is told.
void check_newton(WeakformOptions& o, const Options& options) {
  if (!o.solve) {
    options.refuse({"--preconditioner", "--amg-precision", "--tolerance", "--max-iterations", "--history", "--output",
                    "--output-compress"},
                   "of Newton's method; accepted with --solve");
    return;
  }
  options.refuse({"--verify-only", "--repeat"}, "of residuals; accepted without --solve");
  const weakform::NewtonOptions usual =
      o.precision == Precision::fp64 ? weakform::usual_newton<double>() : weakform::usual_newton<float>();
  o.newton.linear_tolerance = usual.linear_tolerance;
  if (o.newton.preconditioner != weakform::LinearPreconditioner::amg)
    options.refuse({"--amg-precision"}, "of --preconditioner amg; accepted with it");
  require(o.precision == Precision::fp64 || o.newton.amg_precision == Precision::fp32, "--amg-precision", "double",
          "finer than --precision single; accepted is single");
  if (!options.given("--tolerance")) o.newton.tolerance = usual.tolerance;
  const std::size_t runs = o.forms.size() * o.ways.size();
  for (const NamedFile& file : {NamedFile{"--history", o.history}, NamedFile{"--output", o.output.file}})
    require(file.path.empty() || runs == 1, file.name, printable(file.path, 200),
            fmt::format("{} solves for one file; accepted are one form, strategy and order", runs));
  check_solution(o.output, options);
  o.keeps_solution = !o.output.file.empty();
}

/// The mesh that is generated; a file's has no size to ask for.
void set_mesh(const WeakformArguments& a, const Options& options, WeakformOptions& o) {
  require_word_or_file("--mesh", o.mesh, {"generated"}, files_of_gmsh);
  if (!o.generated()) options.refuse({"--elements", "--cells"}, "contradicts --mesh FILE; accepted is one of them");
  if (a.cells.empty()) {
    const std::int64_t elements = parse_count("--elements", a.elements_word);
    o.sides = weakform::box_sides(o.dim, elements);
    o.size = fmt::format("--elements {}", elements);
    return;
  }
  options.refuse({"--elements"}, "contradicts --cells; accepted is one of them");
  o.sides = parse_box(fmt::format("--dim {} --cells", o.dim), a.cells, o.dim);
  require(o.boxes() <= 1e9, "--dim", fmt::format("{} --cells {}", o.dim, a.cells),
          "accepted are up to 1G squares or cubes");
  o.size = "--cells " + a.cells;
}

/// Several ranks take what exchanges nodes between them.
void check_ranks(const WeakformOptions& o, const Options& options) {
  if (o.ranks.is_alone()) return;
  options.refuse({"--tune"}, fmt::format("runs on one rank; accepted without it are {}", o.ranks.size()));
  if (!o.generated()) return;
  require(o.boxes() >= o.ranks.size(),
          about(o.size, fmt::format("{} ranks for {:.0f} {}; accepted are no more ranks than these", o.ranks.size(),
                                    o.boxes(), o.dim == 2 ? "squares of 2 triangles" : "cubes of 6 tetrahedra")));
}

void check_memory(const WeakformOptions& o) {
  for (const weakform::FormKind form : o.forms)
    for (const Way& way : ways_of(o, form))
      require_memory(memory_need(o, form, way),
                     fmt::format("{}, {}, {}", o.size, name(form), name(way.options.strategy)), "fewer elements");
}

}  // namespace

void add_options(Options& options, WeakformArguments& a) {
  WeakformOptions& o = a.direct;
  const auto what = options.group("Form");
  what.add("--form", a.form, explain<weakform::FormKind>() + "; all").of(names_and<weakform::FormKind>({"all"}));
  what.add("--dim", o.dim, "Dimensions of space: 2, triangles, or 3, tetrahedra",
           {[](double value) { return value == 2 || value == 3; }, "2 and 3"});
  what.add("--mesh", o.mesh, "generated, or a Gmsh file (2.2 or 4.1) of triangles or tetrahedra")
      .of({"generated"})
      .input();
  what.add("--elements", a.elements_word,
           "Triangles or tetrahedra of a generated mesh, in a box as cubical as the number allows: 720k, 8.4M");
  what.optional("--cells", a.cells,
                "Squares of two triangles along x and y, or cubes of six tetrahedra along x, y and z, instead of "
                "--elements: 40x20, 8x4x2, or 8");
  what.flag("--shuffle", o.shuffle, "Put cells and vertices in random order");

  const auto how = options.group("Way to run it");
  how.add("--kernel", a.strategy,
          "cells, points, functions, transposed, tiles, fans, owner; auto: by --tuning, or fans; tiles with "
          "--block-size, and on hosts with --mesh FILE or --solve; all: one row per kernel")
      .of(names_of_strategies());
  how.optional(
         "--tune", o.tune,
         "Measure every strategy with what tunes it, and append the fastest of each form to this file, for --tuning")
      .output(check_tuning_file<weakform::TuningTable>);
  how.optional("--tuning", a.tuning, "Table of the fastest strategies that auto goes by, as --tune writes it").input();
  how.add("--precision", o.precision, "double or single");
  how.add("--reorder", a.reorder, "none, rcm, gps, metis, blocks, bisection; all: those of this build")
      .of(names_and<graph::Reorder>({"all"}));
  how.optional("--block-size", a.block_size,
               "tiles: cells of a block; owner: nodes of a block: 64 or 64,128,1k, 1..4096; one row each [128, tiles "
               "on GPUs 512; fewer "
               "where scratch is short]");
  how.optional("--blocks", a.blocks,
               "transposed: blocks of a team, each with a whole number of cells for threads per point and threads per "
               "coefficient: 4 or 1..4,8; one row each [what makes about 128 threads]");
  how.optional("--batches", a.batches,
               "transposed: batches of a team, with a cell per thread: 4 or 1..4,8; one row each [4]");

  add_problem_options(options, o.problem);

  const auto newton = options.group("Solution, by Newton's method with a line search");
  newton.flag("--solve", o.solve, "Solve each form, and compare with its exact solution");
  newton.add("--preconditioner", o.newton.preconditioner,
             "Of CG, or GMRES where the Jacobian is not symmetric: " + explain<weakform::LinearPreconditioner>());
  newton.add("--amg-precision", o.newton.amg_precision,
             "Of amg's cycle: double or single, which goes on in double where it breaks down");
  newton.add("--tolerance", o.newton.tolerance,
             "Newton stops at |r| <= tolerance times the first |r|, above 0 and below 1 [single precision: 1e-05]",
             {[](double value) { return value > 0 && value < 1; }, "numbers above 0 and below 1"});
  newton.add("--max-iterations", o.newton.max_iterations, "Newton gives up after this many steps", positive_whole);
  newton.optional("--history", o.history, "Write |r| after each step to this file (CSV)").output(check_history_file);
  add_solution_options(newton, o.output);

  const auto run = options.group("Run");
  run.add("--partition", o.partition, "Of the squares or cubes of cells over ranks: " + explain<graph::Partition>());
  run.repeat(o.repeat);
  run.flag("--verify-only", o.verify_only, "Stop after the comparison with the reference");
  run.output(o, "one record per row");
}

WeakformOptions check(const WeakformArguments& a, const Options& options) {
  WeakformOptions o = a.direct;
  o.ranks = Communicator::world();
  o.forms = choose_all<weakform::FormKind>("--form", a.form);
  set_mesh(a, options, o);
  if (o.generated())
    require(std::all_of(o.sides.begin(), o.sides.begin() + o.dim, [](int side) { return side > 1; }),
            about(o.size, fmt::format("a mesh of {} has no inner node; accepted are 2 and more along each axis",
                                      fmt::join(o.sides.begin(), o.sides.begin() + o.dim, " x "))));
  o.ways = make_ways(a, o.generated(), options);
  if (!a.tuning.empty())
    o.table = of_option("--tuning", [&, text = read_text("--tuning", a.tuning, "what miniapp weakform --tune writes")] {
      return weakform::TuningTable(text, a.tuning);
    });
  check_problem(o, options);
  check_newton(o, options);
  check_ranks(o, options);
  check_memory(o);
  return o;
}

std::vector<Way> ways_of(const WeakformOptions& o, weakform::FormKind form) {
  std::vector<Way> ways = o.ways;
  const std::optional<weakform::Options> fastest = o.table.find(tuning_key(form, o));
  for (Way& way : ways)
    if (way.automatic && fastest) way.options = *fastest;
  return ways;
}

MemoryNeed memory_need(const WeakformOptions& o, weakform::FormKind form, const weakform::Way& way) {
  return o.generated() ? weakform::memory_need(form, o, way) : MemoryNeed{};
}

}  // namespace miniapp::apps
