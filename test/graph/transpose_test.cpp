// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/transpose.hpp"

#include "core/uses.hpp"
#include "support/vectors.hpp"

using namespace miniapp::graph;

namespace {

constexpr int targets = 37;

/// 101 x 5 entries that name some of `targets` targets, about a third of them masked.
Map make_map() {
  Map map(101, 5);
  std::mt19937 random(1);
  for (Index& entry : map.entries) {
    entry = static_cast<Index>(random() % (targets - 2));  // the last two are unreferenced
    if (random() % 3 == 0) entry = ~entry;
  }
  return map;
}

}  // namespace

TEST_CASE("The transpose lists every entry that is not masked, once", "[graph][transpose]") {
  const Map map = make_map();

  const Csr<std::int64_t> rows = transpose(map, targets);

  std::vector<std::int64_t> listed = rows.entries, expected;
  std::sort(listed.begin(), listed.end());
  for (std::size_t position = 0; position < map.entries.size(); ++position)
    if (map.entries[position] >= 0) expected.push_back(static_cast<std::int64_t>(position));
  CHECK(listed == expected);
}

TEST_CASE("A row of the transpose holds the entries that refer to its target, in ascending order",
          "[graph][transpose]") {
  const Map map = make_map();

  const Csr<std::int64_t> rows = transpose(map, targets);

  REQUIRE(rows.offsets.size() == targets + 1);
  for (int t = 0; t < targets; ++t) {
    const auto begin = rows.entries.begin() + rows.offsets[t], end = rows.entries.begin() + rows.offsets[t + 1];
    CHECK(std::is_sorted(begin, end));
    CHECK(std::all_of(begin, end, [&](std::int64_t position) { return map.entries[position] == t; }));
  }
}

TEST_CASE("Targets that no entry refers to have empty rows", "[graph][transpose]") {
  const Csr<std::int64_t> rows = transpose(make_map(), targets);

  CHECK(rows.offsets[targets] == rows.offsets[targets - 2]);
  CHECK(transpose(Map(), 3).offsets == std::vector<std::int64_t>(4, 0));
}

TEST_CASE("Uses found where loops run are the rows of the transpose", "[graph][transpose]") {
  Map map = make_map();
  map.entries.insert(map.entries.end(), 300, 7);  // a target that many threads count at once
  const Csr<std::int64_t> rows = transpose(map, targets);

  const Uses uses = find_uses(to_device<Index>("test", map.entries), targets);

  CHECK(test::to_std(uses.offsets) == std::vector<Index>(rows.offsets.begin(), rows.offsets.end()));
  CHECK(test::to_std(uses.positions) == std::vector<Index>(rows.entries.begin(), rows.entries.end()));
  CHECK(test::to_std(find_uses({}, 2).offsets) == std::vector<Index>{0, 0, 0});
}

TEST_CASE("A permuted map joins the same elements and targets under their new numbers", "[graph][transpose]") {
  Map map(0, 2);
  map.entries = {0, 1, 1, 2, 2, ~0};

  const Map result = permute(map, {2, 0, 1}, {2, 0, 1});

  CHECK(result.arity == 2);
  CHECK(result.entries == std::vector<Index>{1, ~0, 2, 0, 0, 1});
}

TEST_CASE("The inverse of a permutation gives the position of each id in it", "[graph][transpose]") {
  CHECK(inverse({2, 0, 3, 1}) == std::vector<Index>{1, 3, 0, 2});
  CHECK(inverse({}).empty());
}

TEST_CASE("Uses of a range of targets are counted, masked entries aside", "[graph][transpose]") {
  Map map(4, 2);
  map.entries = {0, 3, 3, 3, ~2, 1, 4, 3};

  CHECK(graph::count_uses(map, 0, 5) == std::vector<Index>{1, 1, 0, 4, 1});
  CHECK(graph::count_uses(map, 3, 5) == std::vector<Index>{4, 1});
  CHECK(graph::count_uses(map, 2, 2).empty());
}
