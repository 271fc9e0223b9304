// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/owner_plan.hpp"

#include <random>

#include "miniapp/indirect/case.hpp"
#include "miniapp/mesh/generate.hpp"
#include "support/catch.hpp"

using namespace miniapp::indirect;

namespace {

void check_same(const Map& map, std::size_t to_size, int block_size) {
  const PlanOptions options{Strategy::owner, block_size};
  const PlanArrays expected = make_plan(map, to_size, options);
  const OwnerPlan plan = make_owner_plan(graph::copy_to_device(map, to_size), options);
  const PlanArrays found = copy_to_host(plan, map);
  CHECK(found.map_hash == expected.map_hash);
  CHECK(found.from_size == expected.from_size);
  CHECK(found.to_size == expected.to_size);
  if (!expected.order.empty()) CHECK(found.order == expected.order);  // the host omits the order if it is as numbered
  CHECK(found.first_position == expected.first_position);
  CHECK(found.first_target == expected.first_target);
  CHECK(found.targets == expected.targets);
  CHECK(found.local == expected.local);
  CHECK(found.first_row == expected.first_row);
  CHECK(found.rows == expected.rows);
  const PlanFigures a = figures(plan), b = figures(expected);
  CHECK(a.most_positions == b.most_positions);
  CHECK(a.most_targets == b.most_targets);
  CHECK(a.most_rows == b.most_rows);
  CHECK(a.redundancy == b.redundancy);
  CHECK(a.reuse_factor == b.reuse_factor);
}

}  // namespace

TEST_CASE("The device makes the host's plan of owners", "[indirect][owner_plan]") {
  const LoopKind kind = GENERATE(LoopKind::airfoil, LoopKind::hydro_stress);
  const Case data = make_case(kind, make_mesh(kind, mesh_sides(kind, 1500)));
  check_same(data.map, data.to_size, GENERATE(1, 13, 128, 100000));
}

TEST_CASE("Owner plans of random maps with repeated targets equal the host's", "[indirect][owner_plan]") {
  std::mt19937 random(5);
  const int arity = GENERATE(1, 2, 3, 5), targets = GENERATE(1, 90, 400);
  Map map(777, arity);
  for (Index& entry : map.entries) entry = static_cast<Index>(random() % targets);
  check_same(map, targets + 3, 32);  // three unreferenced targets
}

TEST_CASE("Owner plans of empty maps are empty", "[indirect][owner_plan]") {
  const OwnerPlan plan = make_owner_plan(graph::copy_to_device(Map(0, 2), 5), {Strategy::owner, 2});
  CHECK(plan.order.extent(0) == 0);
  CHECK(copy_to_host(plan, Map(0, 2)).blocks() == 3);
}

TEST_CASE("A block with more increments than 16 bits can number is rejected", "[indirect][owner_plan]") {
  Map star(40000, 2);
  for (int e = 0; e < 40000; ++e) star[e][0] = 0, star[e][1] = e % 100;
  CHECK_THROWS_AS(make_owner_plan(graph::copy_to_device(star, 100), {Strategy::owner, 50}), InputError);
}
