// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/map.hpp"

#include <algorithm>
#include <random>

#include "support/catch.hpp"

using namespace miniapp;

namespace {

constexpr int targets = 37;

/// 101 x 5 entries that name some of `targets` targets, about a third of them masked.
Map make_map() {
  Map map(101, 5);
  std::mt19937 random(1);
  for (Index& entry : map.entries) {
    entry = static_cast<Index>(random() % (targets - 2));  // nobody names the last two
    if (random() % 3 == 0) entry = ~entry;
  }
  return map;
}

}  // namespace

TEST_CASE("A map has as many rows as it was made for, each of its arity", "[core][map]") {
  Map map(3, 4);

  map[1][2] = 7;

  CHECK(map.size() == 3);
  CHECK(map.entries == std::vector<Index>{0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0});
  CHECK(Map().size() == 0);
}

TEST_CASE("The transpose lists every entry that is not masked, once", "[core][map]") {
  const Map map = make_map();

  const Rows rows = transpose(map, targets);

  std::vector<std::int64_t> listed = rows.positions, expected;
  std::sort(listed.begin(), listed.end());
  for (std::size_t position = 0; position < map.entries.size(); ++position)
    if (map.entries[position] >= 0) expected.push_back(static_cast<std::int64_t>(position));
  CHECK(listed == expected);
}

TEST_CASE("A row of the transpose holds the entries that name its target, in rising order", "[core][map]") {
  const Map map = make_map();

  const Rows rows = transpose(map, targets);

  REQUIRE(rows.offsets.size() == targets + 1);
  for (int t = 0; t < targets; ++t) {
    const auto begin = rows.positions.begin() + rows.offsets[t], end = rows.positions.begin() + rows.offsets[t + 1];
    CHECK(std::is_sorted(begin, end));
    CHECK(std::all_of(begin, end, [&](std::int64_t position) { return map.entries[position] == t; }));
  }
}

TEST_CASE("Targets that nobody names have empty rows", "[core][map]") {
  const Rows rows = transpose(make_map(), targets);

  CHECK(rows.offsets[targets] == rows.offsets[targets - 2]);
  CHECK(transpose(Map(), 3).offsets == std::vector<std::int64_t>(4, 0));
}
