// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan_check.hpp"

#include <algorithm>
#include <functional>
#include <random>

#include "miniapp/indirect/owner_plan.hpp"
#include "support/catch.hpp"
#include "support/host_threads.hpp"

using namespace miniapp::indirect;

namespace {

constexpr int targets = 40;

/// Elements that are close refer to targets that are close; some refer to a target twice.
Map make_map(int elements = 90, int arity = 2) {
  std::mt19937 random(5);
  Map map(elements, arity);
  for (int e = 0; e < elements; ++e)
    for (int s = 0; s < arity; ++s)
      map[e][s] = static_cast<Index>((std::int64_t(e) * targets / elements + random() % 7) % targets);
  return map;
}

constexpr PlanOptions staged{Strategy::staged}, global{Strategy::global}, owner{Strategy::owner, 8},
    coloured{Strategy::hierarchical, 16, InBlock::colours, WriteBack::colours},
    gathering{Strategy::hierarchical, 16, InBlock::gather, WriteBack::atomic};

/// The defect that check_plan() finds after `change` of a right plan.
std::string broken(const PlanOptions& options, const std::function<void(PlanArrays&)>& change) {
  const Map map = make_map();
  PlanArrays plan = make_plan(map, targets, options);
  CHECK(check_plan(plan, map).empty());
  change(plan);
  return check_plan(plan, map);
}

}  // namespace

TEST_CASE("Plans by make_plan pass check_plan", "[indirect][plan_check]") {
  const PlanOptions options =
      GENERATE(PlanOptions{Strategy::serial}, PlanOptions{Strategy::atomic}, staged, global, owner, coloured, gathering,
               PlanOptions{Strategy::owner, 1000}, PlanOptions{Strategy::owner, 1},
               PlanOptions{Strategy::hierarchical, 7, InBlock::colours, WriteBack::atomic},
               PlanOptions{Strategy::hierarchical, 1000, InBlock::gather, WriteBack::colours});
  const Map map = make_map(GENERATE(0, 1, 90), GENERATE(1, 2, 5));
  CHECK(check_plan(make_plan(map, targets, options), map).empty());
}

TEST_CASE("Owner plans by the device pass check_plan", "[indirect][plan_check]") {
  const Map map = make_map();
  CHECK(check_plan(copy_to_host(make_owner_plan(graph::copy_to_device(map, targets), owner), map), map).empty());
}

TEST_CASE("A plan of another map is wrong", "[indirect][plan_check]") {
  const PlanArrays plan = make_plan(make_map(), targets, owner);
  CHECK(check_plan(plan, make_map(91)) == "it is of another map");
  CHECK(check_plan(plan, make_map(60, 3)) == "it is of another map");
  Map other = make_map();
  other[50][1] = (other[50][1] + 3) % targets;
  CHECK_THAT(check_plan(plan, other), contains("a place stands for target"));
  other[50][1] = targets;
  CHECK(check_plan(plan, other) == "target 41 of 40");
}

TEST_CASE("Two elements of a colour that share a target are found", "[indirect][plan_check]") {
  CHECK_THAT(broken(global, [](PlanArrays& p) { p.colour_offsets.erase(p.colour_offsets.begin() + 1); }),
             Matches("elements [0-9]+ and [0-9]+ of colour 1 share target [0-9]+"));
  CHECK_THAT(broken(global, [](PlanArrays& p) { p.colour_offsets = {0, 90}; }), contains("of colour 1 share target"));
  // an element that changes places with one of another colour
  CHECK_THAT(broken(global, [](PlanArrays& p) { std::swap(p.order.front(), p.order.back()); }),
             contains("share target"));
}

TEST_CASE("Elements that run twice or never are found", "[indirect][plan_check]") {
  CHECK_THAT(broken(global, [](PlanArrays& p) { p.order[3] = p.order[4]; }), contains("is listed twice"));
  CHECK_THAT(broken(global, [](PlanArrays& p) { p.order.pop_back(), --p.colour_offsets.back(); }),
             contains("element of 90, not each once: 89"));
  CHECK_THAT(broken(owner, [](PlanArrays& p) { std::swap(p.order[0], p.order[1]); }), contains("block 1"));
  CHECK_THAT(broken(owner, [](PlanArrays& p) { p.order[1] = p.order[0]; }), contains("block 1"));
}

TEST_CASE("Staged rows that name an increment twice, in a wrong row or not at all are found",
          "[indirect][plan_check]") {
  CHECK_THAT(broken(staged, [](PlanArrays& p) { p.row_entries[1] = p.row_entries[0]; }),
             contains("names an increment"));
  CHECK_THAT(broken(staged, [](PlanArrays& p) { std::swap(p.row_entries.front(), p.row_entries.back()); }),
             contains("the row of target 1 names an increment of target"));
  CHECK_THAT(broken(staged, [](PlanArrays& p) { p.row_entries.pop_back(), --p.row_offsets.back(); }),
             contains("179 increments in rows, 180 are due"));
  CHECK_THAT(broken(staged, [](PlanArrays& p) { ++p.row_offsets[7]; }), contains("names an increment of target"));
}

TEST_CASE("Two elements of a thread colour that share a target are found", "[indirect][plan_check]") {
  CHECK_THAT(broken(coloured,
                    [](PlanArrays& p) {
                      for (std::uint8_t& colour : p.thread_colour) colour = std::min<int>(colour, 1);
                    }),
             Matches("elements [0-9]+ and [0-9]+ of thread colour [12] of block [0-9]+ share target [0-9]+"));
  CHECK_THAT(broken(coloured, [](PlanArrays& p) { std::swap(p.thread_colour[0], p.thread_colour[15]); }),
             contains("thread colours fall"));
}

TEST_CASE("Two blocks of a launch that share a target are found", "[indirect][plan_check]") {
  CHECK_THAT(broken(coloured,
                    [](PlanArrays& p) {
                      p.colour_offsets = {0, 6};
                    }),
             Matches("blocks [0-9]+ and [0-9]+ of colour 1 share target [0-9]+"));
  CHECK_THAT(broken(coloured, [](PlanArrays& p) { p.launch_order[0] = p.launch_order[1]; }),
             contains("is listed twice"));
  CHECK_THAT(broken(gathering,
                    [](PlanArrays& p) {
                      Index& shared = *std::find_if(p.targets.begin(), p.targets.end(), [](Index t) { return t < 0; });
                      shared = ~shared;
                    }),
             contains("is not marked as shared"));
}

TEST_CASE("Places and rows of blocks that are not the map's are found", "[indirect][plan_check]") {
  const PlanOptions options = GENERATE(owner, coloured, gathering);
  CHECK_THAT(broken(options, [](PlanArrays& p) { p.local[0] ^= 1; }), contains("block 1: "));
  CHECK_THAT(broken(options, [](PlanArrays& p) { std::swap(p.targets[0], p.targets[1]); }), contains("block 1: "));
  const auto entry = [](PlanArrays& p, int q) -> std::uint16_t& { return p.rows[p.written(0) + 1 + q]; };
  CHECK_THAT(broken(options, [&](PlanArrays& p) { std::swap(entry(p, 0), entry(p, 9)); }),
             contains("block 1: the row of"));
  CHECK_THAT(broken(options, [&](PlanArrays& p) { entry(p, 1) = entry(p, 0); }), contains("block 1: the row of"));
  CHECK_THAT(broken(options, [](PlanArrays& p) { ++p.rows[1]; }), contains("block 1: "));
}

TEST_CASE("An owner without an element that touches its targets is found", "[indirect][plan_check]") {
  CHECK_THAT(broken(owner,
                    [](PlanArrays& p) {  // the last block no longer runs its last element
                      const int last = p.blocks() - 1, written = p.written(last);
                      std::uint16_t* const starts =
                          p.rows.data() + PlanArrays::row_unit * std::size_t(p.first_row[last]);
                      const int gone = p.first_position[last + 1] - p.first_position[last] - 1;
                      std::vector<std::uint16_t> kept;
                      for (int t = 0; t < written; ++t) {
                        const std::size_t begin = kept.size();
                        for (int q = starts[t]; q < starts[t + 1]; ++q)
                          if (starts[written + 1 + q] / 2 != gone) kept.push_back(starts[written + 1 + q]);
                        starts[t] = static_cast<std::uint16_t>(begin);
                      }
                      starts[written] = static_cast<std::uint16_t>(kept.size());
                      std::copy(kept.begin(), kept.end(), starts + written + 1);
                      p.order.pop_back();
                      p.local.resize(p.local.size() - 2);
                      --p.first_position.back();
                    }),
             Matches("block 5: [0-9]+ of [0-9]+ increments of target [0-9]+"));
}

TEST_CASE("Conflicts of the first two elements or blocks of a colour, and missing increments, are found",
          "[indirect][plan_check]") {
  Map map(2, 2);
  map.entries = {0, 1, 0, 1};
  PlanArrays plan = make_plan(map, 2, global);
  CHECK(plan.colour_offsets == std::vector<Index>{0, 1, 2});
  plan.colour_offsets = {0, 2};
  CHECK(check_plan(plan, map) == "elements 1 and 2 of colour 1 share target 1");

  plan = make_plan(map, 2, {Strategy::hierarchical, 1, InBlock::colours, WriteBack::colours});
  plan.colour_offsets = {0, 2};
  CHECK(check_plan(plan, map) == "blocks 1 and 2 of colour 1 share target 1");

  plan = make_plan(map, 2, {Strategy::hierarchical, 2, InBlock::gather, WriteBack::atomic});
  --plan.rows[2];
  CHECK(check_plan(plan, map) == "block 1: 3 increments in rows, 4 are due");

  plan = make_plan(map, 2, owner);
  plan.order = {0, 0};
  CHECK(check_plan(plan, map) == "block 1 runs element 1 twice, or out of order");
}

TEST_CASE("Lengths, offsets and indices out of range are found", "[indirect][plan_check]") {
  const auto wrong = [](const PlanOptions& options, const std::function<void(PlanArrays&)>& change) {
    PlanArrays plan = make_plan(make_map(), targets, options);
    CHECK(check_arrays(plan).empty());
    change(plan);
    return check_arrays(plan);
  };
  CHECK(wrong(global, [](PlanArrays& p) { p.order[0] = 90; }) == "element 91 of 90");
  CHECK(wrong(global, [](PlanArrays& p) { p.order[0] = -1; }) == "element 0 of 90");
  CHECK(wrong(staged, [](PlanArrays& p) { p.row_entries[0] = 180; }) == "increment 181 of 180");
  CHECK(wrong(coloured, [](PlanArrays& p) { p.targets[0] = targets; }) == "target 41 of 40");
  CHECK(wrong(coloured, [](PlanArrays& p) { p.targets[0] = ~targets; }) == "target 41 of 40");
  CHECK_THAT(wrong(coloured, [](PlanArrays& p) { p.local[0] = 1000; }), contains("block 1: place 1001 of"));
  CHECK_THAT(wrong(coloured, [](PlanArrays& p) { p.thread_colour[0] = 200; }), contains("thread colour 201 of"));
  CHECK_THAT(wrong(coloured, [](PlanArrays& p) { p.thread_colours[0] = 0; }), contains("thread colour 1 of 0"));
  CHECK_THAT(wrong(coloured, [](PlanArrays& p) { p.launch_order[0] = 6; }), contains("block 7 of 6"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.rows[1] = 60000; }), contains("starts of rows fall"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.first_row[1] = 0; }), contains("places for rows of"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.first_position[1] = 80; }), contains("first positions fall"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.first_target.back() = 1; }), contains("first targets run from 0 to 1"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.options.block_size = 12; }), contains("own 40 targets"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.options.block_size = 0; }), contains("blocks of 0"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.options.in_block = static_cast<InBlock>(7); }), contains("option"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.to_size = -1; }), contains("-1 targets"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.from_size = std::int64_t(1) << 40; }), contains("elements"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.arity = 0; }), contains("0 targets an element"));
  CHECK_THAT(wrong(owner, [](PlanArrays& p) { p.row_offsets = {0}; }),
             contains("rows of targets in a plan that has none"));
  CHECK_THAT(wrong(gathering, [](PlanArrays& p) { p.launch_order = {0}; }), contains("in a plan that has none"));
}

TEST_CASE("Plans of many blocks are right, and the first defect is found, by any number of threads",
          "[indirect][plan_check]") {
  const test::HostThreads threads(GENERATE(1, 5));
  constexpr int size = 60000;
  Map chain(size, 2);
  for (int e = 0; e < size; ++e) {
    chain[e][0] = e;
    chain[e][1] = (e + 1) % size;
  }
  PlanArrays plan = make_plan(chain, size, GENERATE(owner, gathering));
  CHECK(check_plan(plan, chain).empty());

  for (const int block : {3000, 2000, 3500}) plan.rows[std::size_t(plan.first_row[block]) * PlanArrays::row_unit] = 1;

  CHECK(check_plan(plan, chain) == "block 2001: starts of rows fall");
}
