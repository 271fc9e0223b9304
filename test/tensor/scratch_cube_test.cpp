// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/lines/scratch_cube.hpp"

#include <array>

#include "support/catch.hpp"

using namespace miniapp::tensor;

TEST_CASE("Threads that read neighbours need one transaction per 128 bytes", "[tensor][scratch_cube]") {
  const LineWalk neighbours{64, 64, 1, 0, 1};

  CHECK(bank_turns(neighbours, 64, 0, 8) == 4);
  CHECK(bank_turns(neighbours, 64, 0, 4) == 2);
}

TEST_CASE("Threads that read the same bank wait for each other", "[tensor][scratch_cube]") {
  CHECK(bank_turns({16, 16, 16, 0, 1}, 16, 0, 8) == 16);
  CHECK(bank_turns({16, 16, 17, 0, 1}, 16, 0, 8) == 1);  // an odd stride meets every bank once
  CHECK(bank_turns({16, 16, 8, 0, 3}, 16, 0, 8) == 3 * 8);
}

TEST_CASE("Elements that share a transaction may conflict in a bank, too", "[tensor][scratch_cube]") {
  const LineWalk eight{8, 8, 1, 0, 1};

  CHECK(bank_turns(eight, 8, 8, 8) == 1);
  CHECK(bank_turns(eight, 8, 16, 8) == 2);
}

TEST_CASE("The best strides hold the cube and are no worse than a dense or an odd row", "[tensor][scratch_cube]") {
  const int n = GENERATE(2, 3, 4, 5, 8, 9, 12, 16, 17);
  const auto walks = [&](int row, int plane) {
    return std::array{LineWalk{n * n, n, 1, row, 1}, LineWalk{n * n, n, 1, plane, 1},
                      LineWalk{n * n, n, row, plane, 1}};
  };
  const auto turns = [&](int row, int plane) {
    int sum = 0;
    for (const LineWalk& walk : walks(row, plane)) sum += bank_turns(walk, 32, plane * n, 8);
    return sum;
  };

  const CubeStrides best = best_strides(n, n, n, 32, 8, walks);

  CHECK(best.row >= n);
  CHECK(best.plane >= best.row * n);
  CHECK(best.size == best.plane * n);
  CHECK(turns(best.row, best.plane) <= turns(n, n * n));
  CHECK(turns(best.row, best.plane) <= turns(n + 1, (n + 1) * n));
}
