// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/bisection.hpp"

#include <algorithm>
#include <set>

#include "miniapp/graph/transpose.hpp"
#include "miniapp/indirect/case.hpp"
#include "miniapp/mesh/generate.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

using namespace miniapp::graph;
using indirect::Case;
using indirect::LoopKind;

namespace {

Case shuffled_case(LoopKind kind, int size) {
  return indirect::make_case(kind, mesh::shuffle(indirect::make_mesh(kind, indirect::mesh_sides(kind, size)), 1));
}

/// The targets of each block of consecutive places.
Blocks target_blocks(const Ordering& ordering, int block_size) {
  Blocks blocks = consecutive_blocks(ordering.to.size(), block_size);
  for (std::size_t t = 0; t < ordering.to.size(); ++t) blocks.entries[ordering.to[t]] = static_cast<Index>(t);
  return blocks;
}

}  // namespace

TEST_CASE("Bisection permutes both sets", "[graph][bisection]") {
  const LoopKind kind = GENERATE(LoopKind::airfoil, LoopKind::shallow_water, LoopKind::hydro_stress);
  const Case data = shuffled_case(kind, 700);
  const int block_size = GENERATE(1, 7, 64, 100000);
  for (const bool owner : {true, false}) {
    const Ordering ordering =
        owner ? make_owner_ordering(data.map, data.to_size, Reorder::bisection, block_size, data.points)
              : make_ordering(data.map, data.to_size, Reorder::bisection, block_size, data.points);
    CHECK(is_permutation_of(ordering.from.entries, data.map.size()));
    CHECK(is_permutation_of(ordering.to, data.to_size));
  }
}

TEST_CASE("Bisection halves a line of points into runs", "[graph][bisection]") {
  constexpr int targets = 37, block_size = 5;
  Map chain(targets - 1, 2);
  std::vector<mesh::Point> points(targets);
  const auto id = [](int i) { return (i * 10) % targets; };  // the numbering is independent of the position on the line
  for (int i = 0; i < targets; ++i) points[id(i)] = {double(i), 0, 0};
  for (int e = 0; e + 1 < targets; ++e) chain[e][0] = id(e), chain[e][1] = id(e + 1);
  const Ordering ordering = make_owner_ordering(chain, targets, Reorder::bisection, block_size, points);
  for (int i = 0; i < targets; ++i) CHECK(ordering.to[id(i)] == i);
  for (int e = 0; e + 1 < targets; ++e) CHECK(ordering.from.entries[e] == e);
}

TEST_CASE("Bisection cuts where connections are fewest, not where the mesh is longest", "[graph][bisection]") {
  constexpr int nx = 8, ny = 64;  // 64 thin layers on top of each other: long in x, but many more steps in y
  Map edges(0, 2);
  std::vector<mesh::Point> points;
  const auto id = [](int i, int j) { return i * ny + j; };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      points.push_back({100. * i, 0.01 * j, 0});
      if (i > 0) edges.entries.insert(edges.entries.end(), {id(i - 1, j), id(i, j)});
      if (j > 0) edges.entries.insert(edges.entries.end(), {id(i, j - 1), id(i, j)});
    }
  const Ordering ordering = make_owner_ordering(edges, points.size(), Reorder::bisection, nx * ny / 2, points);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) CHECK((ordering.to[id(i, j)] < nx * ny / 2) == (j < ny / 2));
}

TEST_CASE("Bisected blocks are nearly as compact as grown ones on every mesh", "[graph][bisection]") {
  const LoopKind kind = GENERATE(LoopKind::airfoil, LoopKind::shallow_water, LoopKind::corner_acceleration,
                                 LoopKind::hydro_stress, LoopKind::euler_flux);
  const Case data = shuffled_case(kind, 20000);
  const Ordering bisected = make_owner_ordering(data.map, data.to_size, Reorder::bisection, 128, data.points);
  const Ordering grown = make_owner_ordering(data.map, data.to_size, Reorder::blocks, 128);
  const double ours = redundancy(data.map, data.to_size, target_blocks(bisected, 128)),
               theirs = redundancy(data.map, data.to_size, target_blocks(grown, 128));
  INFO(name(kind) << ": " << ours << " against " << theirs);
  CHECK(ours < 1.02 * theirs);
}

TEST_CASE("Elements are sorted by their lowest target", "[graph][bisection]") {
  const Case data = shuffled_case(LoopKind::shallow_water, 900);
  const Ordering ordering = make_owner_ordering(data.map, data.to_size, Reorder::bisection, 32, data.points);
  const Map map = permute(data.map, ordering.from.entries, ordering.to);
  for (std::size_t e = 1; e < map.size(); ++e)
    CHECK(*std::min_element(map[e - 1], map[e - 1] + 2) <= *std::min_element(map[e], map[e] + 2));
}

TEST_CASE("Bisection rejects what it cannot cut", "[graph][bisection]") {
  const Case data = shuffled_case(LoopKind::airfoil, 100);
  CHECK_THROWS_AS(make_owner_ordering(data.map, data.to_size, Reorder::bisection, 8), InputError);
  CHECK_THROWS_AS(make_ordering(data.map, data.to_size, Reorder::bisection, 0, data.points), InputError);
  Map outside = data.map;
  outside.entries[3] = static_cast<Index>(data.to_size);
  CHECK_THROWS_AS(make_ordering(outside, data.to_size, Reorder::bisection, 8, data.points), InputError);
}
