// SPDX-License-Identifier: BSD-3-Clause
#include "apps/indirect/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/memory.hpp"
#include "core/printable.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/indirect/plan_file.hpp"
#include "runs/memory_need.hpp"

namespace miniapp::apps {
namespace {

std::vector<int> parse_block_sizes(const IndirectArguments& a, indirect::Strategy strategy) {
  const std::vector<int> sizes = parse_list("--block-size", a.block_size, 1, 4096);
  if (sizes.empty()) return {indirect::usual_block_size(strategy)};
  return indirect::has_blocks(strategy) ? sizes : std::vector{sizes.front()};
}

/// The plans that a word of --kernel stands for, each with every block size.
std::vector<indirect::PlanOptions> parse_strategy(const IndirectArguments& a, const std::string& word) {
  const auto strategies = members<indirect::Strategy>();
  const std::size_t place = choose("--kernel", word, names_and<indirect::Strategy>({"auto", "all"}));
  const indirect::PlanOptions base{place < strategies.size() ? strategies[place] : indirect::Strategy::serial, 0,
                                   a.in_block.value_or(indirect::InBlock::colours),
                                   a.write_back.value_or(indirect::WriteBack::colours), a.staging};
  std::vector<indirect::PlanOptions> plans;
  for (indirect::PlanOptions plan :
       place < strategies.size() ? std::vector{base} : indirect::all_strategies(base, a.in_block || a.write_back))
    for (const int size : parse_block_sizes(a, plan.strategy)) {
      plan.block_size = size;
      plans.push_back(plan);
    }
  return plans;
}

std::vector<indirect::Combination> combine(const IndirectArguments& a, const Options& options) {
  std::vector<indirect::Combination> combinations;
  for (const graph::Reorder reorder : choose_orders(a.reorder))
    for (const std::string& word : a.strategy)
      for (const indirect::PlanOptions& plan : parse_strategy(a, word))
        combinations.push_back({plan, reorder, word == "auto"});
  const auto has_blocks = [](const indirect::Combination& one) {
    using graph::Reorder;
    const bool ordered = one.reorder != Reorder::none && one.reorder != Reorder::rcm && one.reorder != Reorder::gps;
    return indirect::has_blocks(one.plan.strategy) || ordered || one.automatic;
  };
  if (std::none_of(combinations.begin(), combinations.end(), has_blocks))
    options.refuse({"--block-size"},
                   "of blocks; accepted with --kernel hierarchical, owner or all, or with --reorder "
                   "blocks, metis or bisection");
  return combinations;
}

void check_plan_files(const Options& options, IndirectOptions& o) {
  if (!o.load_plan.empty()) {
    options.refuse({"--kernel", "--reorder", "--block-size", "--in-block", "--write-back", "--staging", "--save-plan"},
                   "contradicts --load-plan, which says it; accepted is one of them");
    require(o.loops.size() == 1, "--load-plan", o.load_plan, "is of one loop; accepted is one value of --loop");
    o.combinations.resize(1);
    o.combinations.front().automatic = false;
  }
  if (o.save_plan.empty()) return;
  const std::size_t plans = o.loops.size() * o.combinations.size();
  require(plans == 1, "--save-plan", o.save_plan,
          fmt::format("{} plans for one file; accepted are one value of --loop, --kernel (neither auto nor all), "
                      "--reorder and --block-size",
                      plans));
}

/// Fields of files are those of one loop, in the order of their mesh.
void check_fields(const Options& options, IndirectOptions& o) {
  check_solution(o.output, options);
  if (!o.has_fields()) return;
  const bool reads = !o.state.empty();
  const std::string option = reads ? "--state" : "--output", file = reads ? o.state : o.output.file;
  require(o.loops.size() == 1, option, printable(file, 200), "is of one loop; accepted is one value of --loop");
  options.refuse({"--shuffle"}, "contradicts " + option + ", which has the mesh's order; accepted is one of them");
  if (!reads) return;
  require(std::filesystem::path(o.state).extension() == ".vtu", option, printable(file, 200),
          "ends in another way; accepted are names that end in .vtu");
  if (options.given("--mesh")) return;
  options.refuse({"--elements", "--cells"}, "contradicts --state FILE, which has a mesh; accepted is one of them");
  o.mesh = o.state;
}

/// The meshes that are generated; a file's has no size to ask for.
void set_meshes(const IndirectArguments& a, const Options& options, IndirectOptions& o) {
  require_word_or_file("--mesh", o.mesh, {"generated"}, files_of_gmsh);
  if (!o.generated()) options.refuse({"--elements", "--cells"}, "contradicts --mesh FILE; accepted is one of them");
  if (!a.cells.empty()) options.refuse({"--elements"}, "contradicts --cells; accepted is one of them");
  const std::int64_t elements = parse_count("--elements", a.elements);
  for (const indirect::LoopKind loop : o.loops) {
    o.sides[loop] = a.cells.empty() ? indirect::mesh_sides(loop, elements)
                                    : parse_box("--loop " + indirect::name(loop) + " --cells", a.cells,
                                                indirect::mesh_dimension(loop));
    require(indirect::num_elements(loop, o.sides[loop]) <= 1.1e9, "--loop",
            fmt::format("{} --cells {}", indirect::name(loop), a.cells), "accepted are boxes of up to 1G elements");
  }
  o.size = a.cells.empty() ? "--elements " + a.elements : "--cells " + a.cells;
}

/// Several ranks make their parts of a mesh, each with a plan of its own.
void check_ranks(const IndirectOptions& o, const Options& options) {
  if (o.ranks.is_alone()) return;
  options.refuse({"--save-plan", "--load-plan"},
                 fmt::format("a file has the plan of one rank; accepted without it are {}", o.ranks.size()));
  if (!o.generated()) return;
  for (const indirect::LoopKind loop : o.loops) {
    const std::array<int, 3> sides = o.sides.at(loop);
    const double boxes = double(sides[0]) * sides[1] * sides[2];
    require(boxes >= o.ranks.size(),
            about(o.size,
                  fmt::format("{} ranks for {:.0f} {} of {}; accepted are no more ranks than these", o.ranks.size(),
                              boxes, indirect::mesh_dimension(loop) == 3 ? "cubes" : "squares", indirect::name(loop))));
  }
}

/// Meshes of files are not known before they are read.
void check_memory(const IndirectOptions& o) {
  if (!o.generated()) return;
  const double of_rank = 1. / o.ranks.size(), of_host = o.ranks.size_of_node() * of_rank;  // of the mesh
  for (const indirect::LoopKind loop : o.loops)
    for (const indirect::Combination& how : o.combinations) {
      const double whole = indirect::estimated_memory(loop, indirect::num_elements(loop, o.sides.at(loop)),
                                                      how.reorder == graph::Reorder::metis);
      const auto require_free = [&](double needed, std::size_t free) {
        require_available(needed, free, o.size, indirect::name(loop));
      };
      const std::array<int, 3> sides = o.sides.at(loop);
      const double boxes = double(sides[0]) * sides[1] * sides[2];
      const double parts =
          o.ranks.size_of_node() *
          measure::partition_need(o.partition, boxes, indirect::mesh_dimension(loop), o.ranks.size()).host;
      require_free(sharing_ranks(o.ranks) * of_rank * whole, available_memory());
      require_free(std::max(of_host * whole, parts), free_host_memory());
    }
}

}  // namespace

std::string IndirectOptions::mesh_option() const {
  return (mesh == state ? "--state " : "--mesh ") + printable(mesh, 200);
}

void add_options(Options& options, IndirectArguments& a) {
  IndirectOptions& o = a.direct;
  const auto what = options.group("Loop");
  what.add("--loop", a.loop, fmt::format("{}, all", fmt::join(names(indirect::LoopKind{}), ", ")))
      .of(names_and<indirect::LoopKind>({"all"}));
  what.add("--mesh", o.mesh, "generated, or a Gmsh file (2.2 or 4.1) of the cells that the loop needs")
      .of({"generated"})
      .input();
  what.add("--elements", a.elements, "Elements of the loop on a generated mesh, about: 720k, 8.4M");
  what.optional("--cells", a.cells,
                "Squares along x and y, or cubes along x, y and z, instead of --elements: 40x20, 8x4x2, or 8; of "
                "airfoil's O-grid around and outwards");
  what.optional("--state", o.state,
                "Take the loop's state from this file instead of the loop's own: FILE.vtu, as --output writes it; "
                "without --mesh its mesh too")
      .input();
  what.flag("--shuffle", o.shuffle, "Put cells and vertices in random order");

  const auto how = options.group("Way to run it");
  how.add("--kernel", a.strategy,
          "serial, atomic, staged, global, hierarchical, owner; auto: the fastest here, all: one row per kernel")
      .of(names_and<indirect::Strategy>({"auto", "all"}));
  how.optional("--precision", o.precision,
               "double or single [as the program that a loop is from: shallow-water single]");
  how.add("--reorder", a.reorder, "none, rcm, gps, metis, blocks, bisection (on the device); all: those of this build")
      .of(names_and<graph::Reorder>({"all"}));
  how.add("--layout", a.layout, "aos, soa, all").of(names_and<Layout>({"all"}));
  how.optional(
      "--block-size", a.block_size,
      "Elements per hierarchical block, or targets per owner: 64 or 64,128,1k, 1..4096; one row each [256; owner 128]");
  how.optional("--in-block", a.in_block,
               "How a hierarchical block sums increments: by thread colours, or gather [colours]");
  how.optional("--write-back", a.write_back,
               "How hierarchical blocks add to memory: by block colours, or atomic [colours]");
  how.add("--staging", a.staging,
          "What a block keeps in scratch: all that it reads and increments, or increments only");
  how.optional("--save-plan", o.save_plan, "Write the order and the plan to this file")
      .output([](const NamedFile& file, const Options&) { indirect::require_plan_path(file.path); });
  how.optional("--load-plan", o.load_plan, "Take the order and the plan from this file instead of making them").input();

  const auto run = options.group("Run");
  run.add("--partition", o.partition, "Of the squares or cubes of cells over ranks: " + explain<graph::Partition>());
  run.repeat(o.repeat);
  run.add("--iterations", o.iterations, "Runs of the loop per repetition, between two readings of the clock",
          positive_whole);
  run.flag("--verify-only", o.verify_only, "Stop after the comparison with the serial loop");
  add_solution_options(run, o.output);
  run.output(o, "one record per row");
}

IndirectOptions check(const IndirectArguments& a, const Options& options) {
  IndirectOptions o = a.direct;
  o.ranks = Communicator::world();
  o.loops = choose_all<indirect::LoopKind>("--loop", a.loop);
  o.layouts = choose_all<Layout>("--layout", a.layout);
  o.combinations = combine(a, options);
  check_fields(options, o);
  set_meshes(a, options, o);
  check_ranks(o, options);
  check_plan_files(options, o);
  check_memory(o);
  return o;
}

}  // namespace miniapp::apps
