// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/grid_part.hpp"

#include "support/catch.hpp"

using linalg::GridPart, linalg::find_place, linalg::part_of_grid;

TEST_CASE("Each point of a grid is a row of one rank, where it is found", "[linalg][grid_part]") {
  const std::array<Index, 3> whole =
      GENERATE(std::array<Index, 3>{3, 3, 1}, std::array<Index, 3>{7, 5, 3}, std::array<Index, 3>{29, 1, 1});
  const int ranks = GENERATE(1, 2, 3, 4, 7, 8, 9);
  std::vector<int> count(static_cast<std::size_t>(GridPart{whole, {0, 0, 0}, whole}.num_points()), 0);
  int wrong = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const GridPart part = part_of_grid(whole, rank, ranks);
    CHECK(part.num_points() > 0);
    for (Index row = 0; row < part.num_points(); ++row) {
      const auto number = static_cast<Index>(part.number(row));
      ++count[number];
      const std::array<Index, 3> point{number % whole[0], number / whole[0] % whole[1], number / whole[0] / whole[1]};
      wrong += find_place(whole, ranks, point) != linalg::Place{rank, row};
    }
  }
  CHECK(wrong == 0);
  CHECK(count == std::vector<int>(count.size(), 1));
}

TEST_CASE("Parts are compact, and differ by a layer for each cut", "[linalg][grid_part]") {
  for (int rank = 0; rank < 8; ++rank)
    CHECK(part_of_grid({100, 100, 100}, rank, 8).sides == std::array<Index, 3>{50, 50, 50});
  for (const int ranks : {2, 3, 7, 64})
    for (int rank = 0; rank < ranks; ++rank) {
      const double points = double(part_of_grid({100, 100, 100}, rank, ranks).num_points());
      CHECK(points == Approx(1e6 / ranks).epsilon(ranks < 8 ? 0.03 : 0.1));
    }
}

TEST_CASE("Numbers of large grids have 64 bits", "[linalg][grid_part]") {
  const GridPart last = part_of_grid({2000, 2000, 2000}, 1023, 1024);
  CHECK(last.num_points() == 7812500);
  CHECK(last.number(last.num_points() - 1) == 7999999999);
  CHECK(part_of_grid({2000, 2000, 2000}, 0, 1).num_points() == 8000000000);
}

TEST_CASE("More ranks than rows are refused", "[linalg][grid_part]") {
  CHECK_THROWS_WITH(part_of_grid({2, 3, 1}, 0, 7), "7 ranks for 6 rows; accepted are no more ranks than rows");
}
