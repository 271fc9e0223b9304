// SPDX-License-Identifier: BSD-3-Clause
#include "indirect_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/indirect/plan_file.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

using indirect::InBlock;
using indirect::PlanOptions;
using indirect::Strategy;
using indirect::WriteBack;

/// The names of an enum's members, and words that stand for several of them.
template <Named E>
std::vector<std::string> names_and(std::vector<std::string> words = {}) {
  const auto own = names(E{});
  words.insert(words.begin(), own.begin(), own.end());
  return words;
}

/// Numbers that `choose` gives to words, `all` standing for every one before it.
std::vector<int> choose_all(const std::string& option, const std::vector<std::string>& words,
                            std::vector<std::string> accepted) {
  std::vector<int> chosen;
  const int count = static_cast<int>(accepted.size());
  accepted.emplace_back("all");
  for (const std::string& word : words) {
    const int place = static_cast<int>(choose(option, word, accepted));
    for (int i = place < count ? place : 0; i < (place < count ? place + 1 : count); ++i) chosen.push_back(i);
  }
  return chosen;
}

int parse_block_size(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
  const int size = digits ? std::stoi(text) : 0;
  require(size >= 1 && size <= 4096, fmt::format("--block-size {}: accepted are whole numbers from 1 to 4096", text));
  return size;
}

/// Ways to run a strategy by its number among the members of Strategy, "auto" and "all".
std::vector<PlanOptions> ways(int strategy, const IndirectArguments& a, const PlanOptions& base) {
  if (strategy < 6) {
    PlanOptions way = base;
    way.strategy = static_cast<Strategy>(strategy);
    return {way};
  }
  std::vector<PlanOptions> all;  // `auto` and `all`: the hierarchical strategy as the paper's and as the fastest here
  for (int s = runs_on_host ? 0 : 1; s < 6; ++s) {
    PlanOptions way = base;
    way.strategy = static_cast<Strategy>(s);
    all.push_back(way);
    if (way.strategy != Strategy::hierarchical || !a.in_block.empty() || !a.write_back.empty()) continue;
    way.in_block = InBlock::gather;
    way.write_back = WriteBack::atomic;
    all.push_back(way);
  }
  return all;
}

bool has_blocks(const PlanOptions& way) {
  return way.strategy == Strategy::hierarchical || way.strategy == Strategy::owner;
}

std::vector<int> parse_block_sizes(const IndirectArguments& a, const PlanOptions& way) {
  std::vector<int> sizes;
  for (const std::string& text : a.block_size) sizes.push_back(parse_block_size(text));
  if (sizes.empty()) sizes = {way.strategy == Strategy::owner ? 128 : 256};
  if (!has_blocks(way)) sizes.resize(1);
  return sizes;
}

/// `all`: those that this build can make.
std::vector<graph::Reorder> parse_orders(const std::vector<std::string>& words) {
  std::vector<graph::Reorder> chosen;
  for (const std::string& word : words)
    for (const int order : choose_all("--reorder", {word}, names_and<graph::Reorder>())) {
      const auto reorder = static_cast<graph::Reorder>(order);
      const std::string reason = graph::why_not(reorder);
      require(reason.empty() || word == "all", "--reorder " + word + ": " + reason);
      if (reason.empty()) chosen.push_back(reorder);
    }
  return chosen;
}

std::vector<indirect::Combination> combine(const IndirectArguments& a) {
  PlanOptions base;
  base.in_block = a.in_block.empty() ? InBlock::colours : choose<InBlock>("--in-block", a.in_block);
  base.write_back = a.write_back.empty() ? WriteBack::colours : choose<WriteBack>("--write-back", a.write_back);
  base.staging = choose<indirect::Staging>("--staging", a.staging);
  std::vector<indirect::Combination> combinations;
  for (const graph::Reorder reorder : parse_orders(a.reorder))
    for (const std::string& word : a.strategy) {
      const std::size_t strategy = choose("--strategy", word, names_and<Strategy>({"auto", "all"}));
      for (PlanOptions way : ways(static_cast<int>(strategy), a, base))
        for (const int size : parse_block_sizes(a, way)) {
          way.block_size = size;
          combinations.push_back({way, reorder, word == "auto"});
        }
    }
  return combinations;
}

void check_plan_files(const IndirectArguments& a, const Options& options, IndirectOptions& o) {
  o.save_plan = a.save_plan;
  o.load_plan = a.load_plan;
  if (!o.load_plan.empty()) {
    for (const char* option :
         {"--strategy", "--reorder", "--block-size", "--in-block", "--write-back", "--staging", "--save-plan"})
      require(!options.given(option),
              std::string(option) + ": contradicts --load-plan, which says it; accepted is one of them");
    require(o.loops.size() == 1, "--load-plan " + o.load_plan + ": is of one loop; accepted is one value of --loop");
    o.combinations.resize(1);
    o.combinations.front().automatic = false;
  }
  if (o.save_plan.empty()) return;
  const std::size_t plans = o.loops.size() * o.combinations.size();
  require(plans == 1, fmt::format("--save-plan {}: {} plans for one file; accepted are one value of --loop, --strategy "
                                  "(neither auto nor all), --reorder and --block-size",
                                  o.save_plan, plans));
  indirect::require_plan_path(o.save_plan);
}

/// Meshes of files are not known before they are read.
void check_memory(const IndirectOptions& o, const std::string& size) {
  if (!o.mesh.empty()) return;
  const bool metis = std::any_of(o.combinations.begin(), o.combinations.end(),
                                 [](const indirect::Combination& how) { return how.reorder == graph::Reorder::metis; });
  for (const indirect::LoopKind loop : o.loops)
    for (const std::size_t free : {available_memory(), free_host_memory()}) {
      const double needed = indirect::estimated_memory(loop, static_cast<double>(o.size), metis);
      require(free == 0 || needed <= static_cast<double>(free),
              fmt::format("--size {}: {} needs about {}, {} are free; accepted is less", size, indirect::name(loop),
                          report::bytes(needed), report::bytes(static_cast<double>(free))));
    }
}

}  // namespace

void add_options(Options& options, IndirectArguments& a) {
  const auto what = options.group("Loop");
  what.add("--loop", a.loop, fmt::format("{}, all", fmt::join(names(indirect::LoopKind{}), ", ")));
  what.add("--mesh", a.mesh, "generated, or a Gmsh file (ASCII 2.2 or 4.1) of the cells that the loop needs");
  what.add("--size", a.size, "From-elements of a generated mesh: 720k, 8.4M");
  what.flag("--shuffle", a.shuffle, "Cells and vertices in random order");

  const auto how = options.group("Way to run it");
  how.add("--strategy", a.strategy,
          "serial, atomic, staged, global, hierarchical, owner; auto: the fastest here, all: one row per strategy");
  how.add("--reorder", a.reorder, "none, rcm, gps, metis, blocks, bisection (on the device); all: those of this build");
  how.add("--layout", a.layout, "aos, soa, all");
  how.optional("--block-size", a.block_size, "Elements of a hierarchical block, targets of an owner [256, owner 128]");
  how.optional("--in-block", a.in_block, "Hierarchical: thread colours, or gather [colours]");
  how.optional("--write-back", a.write_back, "Hierarchical: block colours, or atomic [colours]");
  how.add("--staging", a.staging, "Blocks keep all that they read and increment in scratch, or increments");
  how.file("--save-plan", a.save_plan, "Write order and plan to this file");
  how.file("--load-plan", a.load_plan, "Take order and plan from this file instead of making them");

  const auto run = options.group("Run");
  run.add("--iterations", a.iterations, "Runs of the loop per repetition");
  run.add("--repeat", a.repeat, "Timed repetitions");
  run.flag("--quiet", a.quiet, "Print no progress");
  run.file("--json", a.json, "Append one record per row to this file");
}

IndirectOptions check(const IndirectArguments& a, const Options& options) {
  IndirectOptions o;
  for (const int loop : choose_all("--loop", a.loop, names_and<indirect::LoopKind>()))
    o.loops.push_back(static_cast<indirect::LoopKind>(loop));
  for (const int layout : choose_all("--layout", a.layout, names_and<Layout>()))
    o.layouts.push_back(static_cast<Layout>(layout));
  o.combinations = combine(a);
  o.mesh = a.mesh == "generated" ? "" : a.mesh;
  o.size = parse_count("--size", a.size);
  require(o.mesh.empty() || !options.given("--size"), "--size: contradicts --mesh FILE; accepted is one of them");
  require_number("--iterations", a.iterations, a.iterations > 0, "whole numbers > 0");
  require_number("--repeat", a.repeat, a.repeat > 0, "whole numbers > 0");
  o.iterations = a.iterations;
  o.repeat = a.repeat;
  o.shuffle = a.shuffle;
  o.quiet = a.quiet;
  o.json = a.json;
  check_plan_files(a, options, o);
  check_memory(o, a.size);
  return o;
}

}  // namespace miniapp::apps
