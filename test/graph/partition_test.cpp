// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/partition.hpp"

#include <algorithm>
#include <set>

#include "miniapp/core/features.hpp"
#include "miniapp/graph/reorder.hpp"
#include "support/catch.hpp"

using graph::Partition;

namespace {

using Sides = std::array<int, 3>;

std::vector<std::vector<std::int64_t>> all_parts(const Sides& sides, Partition partition, int ranks) {
  std::vector<std::vector<std::int64_t>> parts;
  for (int rank = 0; rank < ranks; ++rank) parts.push_back(part_of_box(sides, partition, rank, ranks));
  return parts;
}

/// Faces between elements of different parts.
std::int64_t cut_faces(const Sides& sides, const std::vector<std::vector<std::int64_t>>& parts) {
  std::vector<int> part(static_cast<std::size_t>(sides[0]) * sides[1] * sides[2]);
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    for (const std::int64_t e : parts[rank]) part[e] = static_cast<int>(rank);
  std::int64_t cut = 0;
  for (int k = 0; k < sides[2]; ++k)
    for (int j = 0; j < sides[1]; ++j)
      for (int i = 0; i < sides[0]; ++i) {
        const std::size_t e = (std::size_t(k) * sides[1] + j) * sides[0] + i;
        cut += i + 1 < sides[0] && part[e] != part[e + 1];
        cut += j + 1 < sides[1] && part[e] != part[e + sides[0]];
        cut += k + 1 < sides[2] && part[e] != part[e + std::size_t(sides[0]) * sides[1]];
      }
  return cut;
}

bool can(Partition partition) { return partition != Partition::metis || graph::why_not(graph::Reorder::metis).empty(); }

}  // namespace

TEST_CASE("Every element of a box is in one part, and parts are equally large", "[graph][partition]") {
  const Sides sides = GENERATE(Sides{8, 8, 8}, Sides{5, 7, 3}, Sides{1, 1, 40}, Sides{16, 3, 9});
  const int ranks = GENERATE(1, 2, 3, 4, 7, 16);
  const Partition partition = GENERATE(from_range(members<Partition>()));
  if (!can(partition)) return;
  CAPTURE(sides[0], sides[1], sides[2], ranks, name(partition));
  const std::int64_t total = std::int64_t(sides[0]) * sides[1] * sides[2];
  std::set<std::int64_t> seen;
  std::size_t least = total, most = 0;
  for (const auto& part : all_parts(sides, partition, ranks)) {
    CHECK(std::is_sorted(part.begin(), part.end()));
    seen.insert(part.begin(), part.end());
    least = std::min(least, part.size());
    most = std::max(most, part.size());
  }
  CHECK(seen.size() == std::size_t(total));
  CHECK(*seen.begin() == 0);
  CHECK(*seen.rbegin() == total - 1);
  CHECK(least > 0);
  if (partition != Partition::metis) CHECK(most - least <= 1);
}

TEST_CASE("Bisection cuts a cube into cubes, and few more faces where numbers do not divide", "[graph][partition]") {
  CHECK(cut_faces({8, 8, 8}, all_parts({8, 8, 8}, Partition::rcb, 2)) == 64);
  CHECK(cut_faces({8, 8, 8}, all_parts({8, 8, 8}, Partition::rcb, 8)) == 3 * 64);
  CHECK(cut_faces({16, 4, 4}, all_parts({16, 4, 4}, Partition::rcb, 4)) == 3 * 16);
  const auto of_three = all_parts({8, 8, 8}, Partition::rcb, 3);
  CHECK(cut_faces({8, 8, 8}, of_three) <= 2 * 64 + 16);
  CHECK(cut_faces({8, 8, 8}, of_three) < cut_faces({8, 8, 8}, all_parts({8, 8, 8}, Partition::linear, 3)) + 64);
}

TEST_CASE("METIS's parts are balanced to a per cent", "[graph][partition]") {
  if (!can(Partition::metis)) return;
  const Sides sides{16, 16, 16};
  for (const auto& part : all_parts(sides, Partition::metis, 4)) CHECK(double(part.size()) <= 1.01 * 1024);
}

TEST_CASE("More ranks than elements are refused", "[graph][partition]") {
  CHECK_THROWS_WITH(part_of_box({2, 1, 1}, Partition::rcb, 0, 3),
                    contains("3 ranks for 2 elements; accepted are no more ranks than elements"));
}

TEST_CASE("METIS parts a graph of neighbours so that few are parted", "[graph][partition]") {
#ifdef MINIAPP_HAVE_METIS
  Csr<Index> ring;  // of 40
  for (Index i = 0; i < 40; ++i) {
    ring.entries.insert(ring.entries.end(), {(i + 39) % 40, (i + 1) % 40});
    ring.end_row();
  }
  const std::vector<int> part = graph::parts_by_metis(ring, 4);
  int parted = 0;
  for (std::size_t i = 0; i < 40; ++i) parted += part[i] != part[(i + 1) % 40];
  CHECK(parted == 4);
  for (int p = 0; p < 4; ++p) CHECK(std::count(part.begin(), part.end(), p) == 10);
#else
  CHECK_THROWS_WITH(graph::parts_by_metis({}, 2), contains("this build has no METIS; accepted are rcb and linear"));
#endif
}
