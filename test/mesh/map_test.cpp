// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/map.hpp"

#include <algorithm>
#include <random>

#include "support/catch.hpp"

using namespace miniapp;

namespace {

constexpr int targets = 37;

/// 101 x 5 entries that name some of `targets` targets, about a third of them masked.
mesh::Map make_map() {
  mesh::Map map(101, 5);
  std::mt19937 random(1);
  for (mesh::Index& entry : map.entries) {
    entry = static_cast<mesh::Index>(random() % (targets - 2));  // nobody names the last two
    if (random() % 3 == 0) entry = ~entry;
  }
  return map;
}

}  // namespace

TEST_CASE("A map has as many rows as it was made for, each of its arity", "[mesh][map]") {
  mesh::Map map(3, 4);

  map[1][2] = 7;

  CHECK(map.size() == 3);
  CHECK(map.entries == std::vector<mesh::Index>{0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0});
  CHECK(mesh::Map().size() == 0);
}

TEST_CASE("The transpose lists every entry that is not masked, once", "[mesh][map]") {
  const mesh::Map map = make_map();

  const mesh::Rows rows = transpose(map, targets);

  std::vector<std::int64_t> listed = rows.positions, expected;
  std::sort(listed.begin(), listed.end());
  for (std::size_t position = 0; position < map.entries.size(); ++position)
    if (map.entries[position] >= 0) expected.push_back(static_cast<std::int64_t>(position));
  CHECK(listed == expected);
}

TEST_CASE("A row of the transpose holds the entries that name its target, in rising order", "[mesh][map]") {
  const mesh::Map map = make_map();

  const mesh::Rows rows = transpose(map, targets);

  REQUIRE(rows.offsets.size() == targets + 1);
  for (int t = 0; t < targets; ++t) {
    const auto begin = rows.positions.begin() + rows.offsets[t], end = rows.positions.begin() + rows.offsets[t + 1];
    CHECK(std::is_sorted(begin, end));
    CHECK(std::all_of(begin, end, [&](std::int64_t position) { return map.entries[position] == t; }));
  }
}

TEST_CASE("Targets that nobody names have empty rows", "[mesh][map]") {
  const mesh::Rows rows = transpose(make_map(), targets);

  CHECK(rows.offsets[targets] == rows.offsets[targets - 2]);
  CHECK(transpose(mesh::Map(), 3).offsets == std::vector<std::int64_t>(4, 0));
}
