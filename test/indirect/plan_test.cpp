// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "support/catch.hpp"

using namespace miniapp::indirect;

namespace {

/// Elements that are close refer to targets that are close; some refer to a target twice.
Map local_map(int elements, int arity, int targets) {
  std::mt19937 random(3);
  Map map(elements, arity);
  for (int e = 0; e < elements; ++e)
    for (int s = 0; s < arity; ++s)
      map[e][s] = static_cast<Index>((std::int64_t(e) * targets / elements + random() % 12) % targets);
  return map;
}

int first_target_of(const PlanArrays& plan, int block) {
  return plan.options.strategy == Strategy::owner ? block * plan.options.block_size : 0;
}
/// The target at a place of a block.
Index target_at(const PlanArrays& plan, int block, int place) {
  const int owned = plan.options.strategy == Strategy::owner ? plan.owned(block) : 0;
  if (place < owned) return first_target_of(plan, block) + place;
  const Index id = plan.targets[plan.first_target[block] + place - owned];
  return id < 0 ? ~id : id;
}
Index element_at(const PlanArrays& plan, Index position) {
  return plan.order.empty() ? position : plan.order[position];
}

PlanOptions any_blocks() {
  return GENERATE(PlanOptions{Strategy::owner, 32}, PlanOptions{Strategy::owner, 1000},
                  PlanOptions{Strategy::hierarchical, 64, InBlock::gather, WriteBack::atomic},
                  PlanOptions{Strategy::hierarchical, 64, InBlock::colours, WriteBack::colours});
}

}  // namespace

TEST_CASE("Local numbers of a block stand for the targets of its elements", "[indirect][plan]") {
  const PlanOptions options = any_blocks();
  const Map map = local_map(777, GENERATE(2, 3), 400);
  const PlanArrays plan = make_plan(map, 400, options);
  int wrong = 0;
  for (int b = 0; b < plan.blocks(); ++b)
    for (Index p = plan.first_position[b]; p < plan.first_position[b + 1]; ++p)
      for (int s = 0; s < map.arity; ++s)
        wrong += target_at(plan, b, plan.local[p * map.arity + s]) != map[element_at(plan, p)][s];
  CHECK(wrong == 0);
}

TEST_CASE("Every increment reaches its target once", "[indirect][plan]") {
  const PlanOptions options = any_blocks();
  const Map map = local_map(777, GENERATE(2, 3), 400);
  const PlanArrays plan = make_plan(map, 400, options);
  std::vector<int> reached(map.entries.size(), 0);
  for (int b = 0; b < plan.blocks(); ++b) {
    const std::uint16_t *const starts = plan.row_starts(b), *const entries = starts + plan.written(b) + 1;
    for (int t = 0; t < plan.written(b); ++t)
      for (int q = starts[t]; q < starts[t + 1]; ++q) {
        const int e = entries[q] / map.arity, slot = entries[q] % map.arity;
        const Index element = element_at(plan, plan.first_position[b] + e);
        CHECK(map[element][slot] == target_at(plan, b, t));
        ++reached[element * map.arity + slot];
      }
  }
  CHECK(std::count(reached.begin(), reached.end(), 1) == static_cast<long>(reached.size()));
}

TEST_CASE("A target is marked as shared where another block adds to it", "[indirect][plan]") {
  const Map map = local_map(500, 2, 300);
  const PlanArrays plan = make_plan(map, 300, {Strategy::hierarchical, 50});
  std::vector<std::set<int>> blocks(300);
  for (int e = 0; e < 500; ++e)
    for (int s = 0; s < 2; ++s) blocks[map[e][s]].insert(e / 50);
  for (int b = 0; b < plan.blocks(); ++b)
    for (Index t = plan.first_target[b]; t < plan.first_target[b + 1]; ++t) {
      const Index id = plan.targets[t];
      CHECK((id < 0) == (blocks[id < 0 ? ~id : id].size() > 1));
    }
}

TEST_CASE("Blocks of one launch and threads of one colour share no target", "[indirect][plan]") {
  const Map map = local_map(777, 3, 400);
  const PlanArrays plan = make_plan(map, 400, {Strategy::hierarchical, 64, InBlock::colours, WriteBack::colours});
  const int launches = static_cast<int>(plan.colour_offsets.size()) - 1;
  for (int c = 0; c < launches; ++c) {
    std::set<Index> taken;
    for (Index i = plan.colour_offsets[c]; i < plan.colour_offsets[c + 1]; ++i) {
      const Index b = plan.launch_order[i];
      for (Index t = plan.first_target[b]; t < plan.first_target[b + 1]; ++t)
        CHECK(taken.insert(plan.targets[t] < 0 ? ~plan.targets[t] : plan.targets[t]).second);
    }
  }
  for (int b = 0; b < plan.blocks(); ++b)
    for (int colour = 0; colour < plan.thread_colours[b]; ++colour) {
      std::set<Index> taken;
      for (Index p = plan.first_position[b]; p < plan.first_position[b + 1]; ++p) {
        if (plan.thread_colour[p] != colour) continue;
        const Index* const ids = map[element_at(plan, p)];
        for (const Index id : std::set<Index>(ids, ids + 3)) CHECK(taken.insert(id).second);
      }
    }
}

TEST_CASE("An owner computes every element that touches its targets", "[indirect][plan]") {
  Map chain(10, 2);  // 0-1-2-..-10
  for (int e = 0; e < 10; ++e) chain[e][0] = e, chain[e][1] = e + 1;
  const PlanArrays plan = make_plan(chain, 11, {Strategy::owner, 4});
  CHECK(plan.blocks() == 3);
  CHECK(plan.order == std::vector<Index>{0, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8, 9});
  CHECK(plan.targets == std::vector<Index>{4, 3, 8, 7});
  CHECK(figures(plan).redundancy == 1.2);
  CHECK(figures(plan).most_targets == 6);
}

TEST_CASE("The reuse factor is increments over distinct targets", "[indirect][plan]") {
  Map chain(8, 2);
  for (int e = 0; e < 8; ++e) chain[e][0] = e, chain[e][1] = e + 1;
  const PlanArrays plan = make_plan(chain, 9, {Strategy::hierarchical, 4});
  CHECK(figures(plan).reuse_factor == 1.6);  // 16 increments, 5 targets in each of two blocks
}

TEST_CASE("Lines of a block are those that its targets touch", "[indirect][plan]") {
  Map chain(8, 2);
  for (int e = 0; e < 8; ++e) chain[e][0] = e, chain[e][1] = e + 1;
  const PlanArrays plan = make_plan(chain, 9, {Strategy::hierarchical, 4});  // targets 0..4 and 4..8
  CHECK(cache_lines_per_block(plan, 4, 8, Layout::aos) == 5);                // 32 bytes per target
  CHECK(cache_lines_per_block(plan, 2, 8, Layout::aos) == 3);                // two targets per line
  CHECK(cache_lines_per_block(plan, 2, 8, Layout::soa) == 4);                // four per line, twice
}

TEST_CASE("Blocks may be of any sizes", "[indirect][plan]") {
  const Map map = local_map(100, 2, 60);
  const PlanArrays plan = make_plan(map, 60, {Strategy::hierarchical, 64}, {0, 10, 74, 100});
  CHECK(plan.blocks() == 3);
  CHECK(plan.first_position == std::vector<Index>{0, 10, 74, 100});
}

TEST_CASE("Plans of empty maps and of one element exist", "[indirect][plan]") {
  const Strategy strategy = GENERATE(Strategy::serial, Strategy::atomic, Strategy::staged, Strategy::global,
                                     Strategy::hierarchical, Strategy::owner);
  CHECK(make_plan(Map(0, 2), 0, {strategy}).positions() == 0);
  Map one(1, 2);  // a target twice
  CHECK(make_plan(one, 1, {strategy}).positions() == 1);
}

TEST_CASE("A block whose numbers do not fit in 16 bits is rejected", "[indirect][plan]") {
  Map map(40000, 2);
  for (int e = 0; e < 40000; ++e) map[e][0] = map[e][1] = e;
  CHECK_THROWS_WITH(make_plan(map, 40000, {Strategy::hierarchical, 40000}),
                    "block_size 40000: a block has 80000 targets or increments; accepted are at most 65535");
}

TEST_CASE("Maps that differ have different hashes", "[indirect][plan]") {
  Map map = local_map(100, 2, 60);
  const std::uint64_t first = hash(map, 60);
  CHECK(first == hash(map, 60));
  CHECK(first != hash(map, 61));
  std::swap(map.entries[3], map.entries[7]);
  CHECK(first != hash(map, 60));
}
