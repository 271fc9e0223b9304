// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/blocks.hpp"

#include "miniapp/graph/reorder.hpp"
#include "support/all_close.hpp"
#include "support/maps.hpp"

using namespace miniapp::graph;

namespace {

Map make_map(int arity, std::vector<Index> entries) {
  Map map(0, arity);
  map.entries = std::move(entries);
  return map;
}

/// Meshes in order and in random order, disconnected pieces, and unreferenced targets.
SizedMap make_any(int which) {
  switch (which) {
    case 0:
      return grid_edges(23, 17);
    case 1:
      return shuffled(grid_edges(31, 29));
    case 2:
      return shuffled(box_nodes(7, 5, 9));
    case 3:
      return shuffled(chains(13, 11));
    default:
      return {shuffled(chains(5, 3)).map, 40};
  }
}

}  // namespace

TEST_CASE("Consecutive blocks cut a set without moving anything", "[graph][blocks]") {
  const Blocks blocks = consecutive_blocks(10, 4);

  CHECK(blocks.offsets == std::vector<Index>{0, 4, 8, 10});
  CHECK(blocks.entries == std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("Grown blocks hold every element once, and all but the last are full", "[graph][blocks]") {
  const SizedMap sized = make_any(GENERATE(range(0, 5)));
  const int block_size = GENERATE(1, 2, 7, 64, 128, 5000);

  const Blocks blocks = grow_blocks(sized.map, sized.to_size, block_size);

  CHECK(cuts(blocks, sized.map.size(), block_size));
  CHECK(are_full(blocks, block_size));
}

TEST_CASE("Grown blocks of targets hold every target once, named or not", "[graph][blocks]") {
  const SizedMap sized = make_any(GENERATE(range(0, 5)));
  const int block_size = GENERATE(1, 2, 7, 64, 5000);

  const Blocks blocks = grow_target_blocks(sized.map, sized.to_size, block_size);

  CHECK(cuts(blocks, sized.to_size, block_size));
  CHECK(are_full(blocks, block_size));
}

TEST_CASE("An empty map has no blocks, a map of one element has one", "[graph][blocks]") {
  const Map empty(0, 2), one = make_map(2, {1, 0});

  CHECK(grow_blocks(empty, 0, 128).size() == 0);
  CHECK(grow_blocks(empty, 7, 128).size() == 0);
  CHECK(grow_target_blocks(empty, 7, 4).offsets == std::vector<Index>{0, 4, 7});
  CHECK(reuse_factor(empty, Blocks{}) == 0);
  CHECK(redundancy(empty, 0, Blocks{}) == 0);
  const Blocks blocks = grow_blocks(one, 2, 128);
  CHECK(blocks.entries == std::vector<Index>{0});
  CHECK(reuse_factor(one, blocks) == 1);
}

TEST_CASE("Elements that list a target twice stay with their neighbours", "[graph][blocks]") {
  // two pairs of targets, each target with an element of its own that names it twice: 0-0 0-1 1-1 | 2-2 2-3 3-3
  const Map map = make_map(2, {0, 0, 3, 3, 1, 1, 2, 3, 2, 2, 0, 1});

  const Blocks blocks = grow_blocks(map, 4, 3);

  REQUIRE(blocks.size() == 2);
  const bool first = members(blocks, 0).front() == 0;
  CHECK(members(blocks, first ? 0 : 1) == std::vector<Index>{0, 2, 5});
  CHECK(members(blocks, first ? 1 : 0) == std::vector<Index>{1, 3, 4});
  CHECK(reuse_factor(map, blocks) == 3);
}

TEST_CASE("Blocks of the size of disconnected pieces do not mix the pieces", "[graph][blocks]") {
  const SizedMap sized = shuffled(chains(20, 9));

  const Blocks blocks = grow_blocks(sized.map, sized.to_size, 8),
               owners = grow_target_blocks(sized.map, sized.to_size, 9);

  CHECK(reuse_factor(sized.map, blocks) == Approx(16. / 9));
  CHECK(redundancy(sized.map, sized.to_size, owners) == 1);
}

TEST_CASE("A target of very many elements does not hide the neighbourhood of the others", "[graph][blocks]") {
  SizedMap sized = shuffled(grid_edges(40, 40));
  Map map(sized.map.size(), 3);  // every edge also adds to a global sum
  for (std::size_t e = 0; e < map.size(); ++e) std::copy_n(sized.map[e], 2, map[e]), map[e][2] = Index(sized.to_size);

  const Blocks blocks = grow_blocks(map, sized.to_size + 1, 128);

  CHECK(cuts(blocks, map.size(), 128));
  CHECK(reuse_factor(sized.map, blocks) == reuse_factor(sized.map, grow_blocks(sized.map, sized.to_size, 128)));
}

TEST_CASE("Elements of many targets grow blocks as well", "[graph][blocks]") {
  Map map(64, 300);  // windows of a line, each overlapping half of the next
  for (int e = 0; e < 64; ++e)
    for (int s = 0; s < 300; ++s) map[e][s] = 150 * e + s;
  const std::size_t to_size = 150 * 65;
  const SizedMap sized = shuffled({map, to_size});

  const Blocks blocks = grow_blocks(sized.map, to_size, 16);

  CHECK(cuts(blocks, 64, 16));
  CHECK(reuse_factor(sized.map, blocks) > 1.6);  // four windows in a row share most: 16 * 300 / (17 * 150) = 1.88
}

TEST_CASE("Grown blocks reuse targets as METIS's do, within 2 % beyond the smallest meshes", "[graph][blocks]") {
  if (!why_not(Reorder::metis).empty()) {
    WARN("skipped: " << why_not(Reorder::metis));
    return;
  }
  const auto [ordered, allowance] = GENERATE(table<SizedMap, double>({
      {grid_edges(91, 87), 0.02},
      {box_faces(17, 16, 19), 0.02},
      {box_nodes(23, 25, 24), 0.04},  // few blocks, which must fit the outline; 2 % from about 25 000 hexahedra on
  }));
  const SizedMap sized = shuffled(ordered);
  const int block_size = GENERATE(128, 256, 448);

  const Blocks grown = grow_blocks(sized.map, sized.to_size, block_size),
               metis = metis_blocks(sized.map, sized.to_size, block_size);

  CHECK(cuts(metis, sized.map.size(), block_size));
  CHECK(reuse_factor(sized.map, grown) > (1 - allowance) * reuse_factor(sized.map, metis));
}

TEST_CASE("METIS makes one block of a set that fits in it, and none of an empty set", "[graph][blocks]") {
  if (!why_not(Reorder::metis).empty()) return;
  const SizedMap sized = grid_edges(5, 4);

  CHECK(cuts(metis_blocks(sized.map, sized.to_size, 128), sized.map.size(), 128));
  CHECK(metis_blocks(sized.map, sized.to_size, 128).size() == 1);
  CHECK(metis_blocks(Map(0, 2), 5, 128).size() == 0);
}

TEST_CASE("Blocks that own targets recompute few elements", "[graph][blocks]") {
  const SizedMap sized = shuffled(grid_edges(96, 96));

  const Blocks blocks = grow_target_blocks(sized.map, sized.to_size, 144);

  CHECK(redundancy(sized.map, sized.to_size, blocks) < 1.1);  // squares of 12 x 12: 1 + 2 * 7 * 96 / edges = 1.074
}

TEST_CASE("Reuse and redundancy are those counted by hand", "[graph][blocks]") {
  const Map map = make_map(2, {0, 1, 1, 2, 2, 3, 3, 3});

  CHECK(reuse_factor(map, consecutive_blocks(4, 2)) == 8. / (3 + 2));
  CHECK(reuse_factor(map, consecutive_blocks(4, 4)) == 8. / 4);
  CHECK(redundancy(map, 4, consecutive_blocks(4, 2)) == 5. / 4);
  CHECK(redundancy(map, 4, consecutive_blocks(4, 4)) == 1);
}

TEST_CASE("A block size of zero and maps out of their to-set are bad input", "[graph][blocks]") {
  const Map map = make_map(2, {0, 1, 1, 4});

  CHECK_THROWS_WITH(grow_blocks(map, 5, 0), contains("block_size 0"));
  CHECK_THROWS_AS(grow_target_blocks(map, 5, -1), InputError);
  CHECK_THROWS_AS(consecutive_blocks(5, 0), InputError);
  CHECK_THROWS_WITH(grow_blocks(map, 4, 2), contains("target 4 of 4"));
  CHECK_THROWS_AS(grow_target_blocks(map, 4, 2), InputError);
}
