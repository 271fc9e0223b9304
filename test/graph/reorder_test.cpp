// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/reorder.hpp"

#include <tuple>

#include "miniapp/graph/transpose.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

using namespace miniapp::graph;

namespace {

/// Whether this build supports the ordering; warns if not.
bool available(Reorder reorder) {
  if (why_not(reorder).empty()) return true;
  WARN("skipped " << name(reorder) << ": " << why_not(reorder));
  return false;
}

Reorder any_order() { return GENERATE(Reorder::none, Reorder::rcm, Reorder::gps, Reorder::metis, Reorder::blocks); }

/// The targets of an element in ascending order.
std::vector<Index> sorted_row(const Map& map, std::size_t element) {
  std::vector<Index> row(map[element], map[element] + map.arity);
  std::sort(row.begin(), row.end());
  return row;
}

}  // namespace

TEST_CASE("Orders of loops have the names that the command line uses", "[graph][reorder]") {
  CHECK(name(Reorder::none) == "none");
  CHECK(name(Reorder::rcm) == "rcm");
  CHECK(name(Reorder::gps) == "gps");
  CHECK(name(Reorder::metis) == "metis");
  CHECK(name(Reorder::blocks) == "blocks");
}

TEST_CASE("Every ordering of a loop contains every element and every target once", "[graph][reorder]") {
  const Reorder reorder = any_order();
  const SizedMap sized = GENERATE(0, 1)   ? shuffled(grid_edges(19, 13))
                         : GENERATE(0, 1) ? shuffled(box_nodes(5, 3, 7))
                                          : SizedMap{shuffled(chains(6, 5)).map, 37};
  if (!available(reorder)) return;

  const Ordering ordering = make_ordering(sized.map, sized.to_size, reorder, 64);

  CHECK(cuts(ordering.from, sized.map.size(), 64));
  CHECK(is_permutation_of(ordering.to, sized.to_size));
}

TEST_CASE("Empty maps and maps of one element have orders", "[graph][reorder]") {
  const Reorder reorder = any_order();
  if (!available(reorder)) return;
  Map one(1, 3);
  one.entries = {2, 0, 2};

  CHECK(make_ordering(Map(0, 2), 0, reorder, 128).from.size() == 0);
  CHECK(is_permutation_of(make_ordering(Map(0, 2), 3, reorder, 128).to, 3));
  CHECK(is_permutation_of(make_ordering(one, 3, reorder, 128).to, 3));
  CHECK(make_ordering(one, 3, reorder, 128).from.entries == std::vector<Index>{0});
}

TEST_CASE("Reorder::none leaves everything where it is", "[graph][reorder]") {
  const SizedMap sized = shuffled(grid_edges(9, 8));

  const Ordering ordering = make_ordering(sized.map, sized.to_size, Reorder::none, 50);

  CHECK(permute(sized.map, ordering.from.entries, ordering.to).entries == sized.map.entries);
}

TEST_CASE("RCM and GPS bring the targets of an element close together", "[graph][reorder]") {
  const Reorder reorder = GENERATE(Reorder::rcm, Reorder::gps);
  const auto [sized, width] = GENERATE(table<SizedMap, int>({
      {grid_edges(37, 11), 11},  // the narrow side
      {grid_edges(21, 23), 21},
      {box_nodes(9, 5, 7), 6 * 8 + 6 + 1},  // a plane of nodes across the long side, a line, a node
      {chains(4, 30), 1},
  }));
  const SizedMap random = shuffled(sized);

  const Ordering ordering = make_ordering(random.map, random.to_size, reorder, 128);
  const Map map = permute(random.map, ordering.from.entries, ordering.to);

  CHECK(bandwidth(map) < bandwidth(random.map) / 2);
  CHECK(bandwidth(map) <= 2 * width);
}

TEST_CASE("RCM and GPS number a chain from one end to the other", "[graph][reorder]") {
  const Reorder reorder = GENERATE(Reorder::rcm, Reorder::gps);
  const SizedMap random = shuffled(chains(1, 101));

  const Ordering ordering = make_ordering(random.map, random.to_size, reorder, 128);

  CHECK(bandwidth(permute(random.map, ordering.from.entries, ordering.to)) == 1);
}

TEST_CASE("RCM and GPS sort elements by their targets", "[graph][reorder]") {
  const Reorder reorder = GENERATE(Reorder::rcm, Reorder::gps);
  const SizedMap random = shuffled(GENERATE(0, 1) ? box_nodes(4, 5, 3) : grid_edges(9, 7));

  const Ordering ordering = make_ordering(random.map, random.to_size, reorder, 16);
  const Map map = permute(random.map, ordering.from.entries, ordering.to);

  CHECK(are_full(ordering.from, 16));
  bool rising = true;
  for (std::size_t e = 1; e < map.size(); ++e) rising = rising && sorted_row(map, e - 1) <= sorted_row(map, e);
  CHECK(rising);
}

TEST_CASE("Targets follow the number and the list of the blocks that write them", "[graph][reorder]") {
  const Reorder reorder = GENERATE(Reorder::metis, Reorder::blocks);
  if (!available(reorder)) return;
  const SizedMap random = GENERATE(0, 1) ? shuffled(grid_edges(25, 27)) : SizedMap{shuffled(chains(9, 7)).map, 80};

  const Ordering ordering = make_ordering(random.map, random.to_size, reorder, 32);

  std::vector<std::vector<Index>> writers(random.to_size);  // by place
  for (std::size_t b = 0; b < ordering.from.size(); ++b)
    for (const Index e : members(ordering.from, b))
      for (int s = 0; s < random.map.arity; ++s) {
        std::vector<Index>& list = writers[ordering.to[random.map[e][s]]];
        if (list.empty() || list.back() != Index(b)) list.push_back(Index(b));
      }
  const auto before = [](const auto& a, const auto& b) { return std::tuple(a.size(), a) < std::tuple(b.size(), b); };
  CHECK(std::is_sorted(writers.begin(), writers.end(), before));
}

TEST_CASE("An ordering that the build lacks is bad input, with a list of those that it has", "[graph][reorder]") {
  if (why_not(Reorder::metis).empty()) return;

  CHECK_THROWS_WITH(make_ordering(Map(0, 2), 0, Reorder::metis, 128),
                    contains("accepted are none, rcm, gps, blocks or bisection"));
  CHECK_THROWS_AS(metis_blocks(Map(0, 2), 0, 128), InputError);
}
