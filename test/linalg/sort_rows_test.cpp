// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sort_rows.hpp"

#include <algorithm>

#include "support/all_close.hpp"
#include "support/sparse.hpp"

TEMPLATE_TEST_CASE("Entries of short and of long rows are sorted with their values", "[linalg]", double, float) {
  const Rows rows = random_rows(40, 1000, GENERATE(5, 48, 300), 3);
  const linalg::CsrMatrix<TestType> sorted = linalg::convert<TestType>(to_csr(rows, 1000));
  const std::vector<Index> offsets = to_std(sorted.offsets), columns = to_std(sorted.columns);
  const std::vector<TestType> entries = to_std(sorted.values);
  std::vector<Index> turned = columns;
  std::vector<TestType> turned_entries = entries;
  for (std::size_t row = 0; row < 40; ++row) {  // rotated, then turned over: no order that one loop would mend
    const auto turn = [&](auto& list) {
      const auto begin = list.begin() + offsets[row], end = list.begin() + offsets[row + 1];
      std::rotate(begin, begin + (end - begin) / 3, end);
      std::reverse(begin + (end - begin) / 2, end);
    };
    turn(turned);
    turn(turned_entries);
  }
  Kokkos::deep_copy(sorted.columns, test::to_device<Index>(turned));
  Kokkos::deep_copy(sorted.values, test::to_device<TestType>(turned_entries));

  const Instance instance;
  linalg::sort_rows(instance, sorted);
  instance.fence();

  CHECK(to_std(sorted.columns) == columns);
  CHECK(to_std(sorted.values) == entries);
}
