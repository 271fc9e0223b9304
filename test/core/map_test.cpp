// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/map.hpp"

#include "miniapp/core/csr.hpp"
#include "support/catch.hpp"

TEST_CASE("A map has as many rows as it was made for, each of its arity", "[core][map]") {
  Map map(3, 4);

  map[1][2] = 7;

  CHECK(map.size() == 3);
  CHECK(map.entries == std::vector<Index>{0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0});
  CHECK(Map().size() == 0);
}

TEST_CASE("A map that names a target outside its to-set is bad input, which says where", "[core][map]") {
  Map map(2, 2);
  map.entries = {0, 1, 2, 5};

  CHECK_NOTHROW(require_valid(map, 6, "map"));
  CHECK_THROWS_WITH(require_valid(map, 5, "map"), "map: element 1 names target 5; accepted are 0 to 4");
  map.entries[0] = ~3;
  CHECK_THROWS_AS(require_valid(map, 6, "map"), InputError);
}

TEST_CASE("Compressed rows hold what was appended between their ends", "[core][map]") {
  Csr<> rows;
  rows.entries = {4, 5};
  rows.end_row();
  rows.end_row();
  rows.entries.push_back(9);
  rows.end_row();

  CHECK(Csr<>().size() == 0);
  REQUIRE(rows.size() == 3);
  CHECK(std::vector<Index>(rows[0].begin(), rows[0].end()) == std::vector<Index>{4, 5});
  CHECK(rows[1].empty());
  CHECK(rows.degree(2) == 1);
  CHECK(rows[2][0] == 9);
}
