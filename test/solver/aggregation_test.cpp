// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/aggregation.hpp"

#include <set>

#include "support/sparse.hpp"

using solver::Aggregation;

namespace {

using Neighbours = std::vector<std::set<Index>>;

Neighbours to_sets(const solver::Couplings& couplings) {
  const auto offsets = to_std(couplings.offsets), nodes = to_std(couplings.nodes);
  Neighbours sets(offsets.size() - 1);
  for (std::size_t i = 0; i < sets.size(); ++i)
    sets[i] = std::set<Index>(nodes.begin() + offsets[i], nodes.begin() + offsets[i + 1]);
  return sets;
}

/// Poisson, a matrix without structure, and one with nodes that have no couplings.
linalg::CsrMatrix<double> make_matrix(int which) {
  if (which < 2) return linalg::make_poisson(2 + which, which == 0 ? 30 : 11);
  Rows rows = random_spd(500, 5, 7);
  if (which == 3)
    for (Index lonely : {0, 17, 499}) {
      for (auto& row : rows) row.erase(lonely);
      rows[static_cast<std::size_t>(lonely)] = {{lonely, 1.}};
    }
  return to_csr(rows, 500);
}

}  // namespace

TEST_CASE("Couplings are strong by the norms of blocks", "[solver][aggregation]") {
  // two unknowns per node; blocks of nodes 0-1: norm 5, 1-2: norm 1, diagonals: norm 10
  const double d = 10 / std::sqrt(2.);
  const auto matrix = to_csr({{{0, d}, {1, 0}, {2, 3}, {3, 0}},
                              {{0, 0}, {1, d}, {2, 0}, {3, 4}},
                              {{0, 3}, {1, 0}, {2, d}, {3, 0}, {4, 1}, {5, 0}},
                              {{0, 0}, {1, 4}, {2, 0}, {3, d}, {4, 0}, {5, 0}},
                              {{2, 1}, {3, 0}, {4, d}, {5, 0}},
                              {{2, 0}, {3, 0}, {4, 0}, {5, d}}},
                             6);

  CHECK(to_sets(solver::strong_couplings(matrix, 2, 0)) == Neighbours{{1}, {0, 2}, {1}});
  CHECK(to_sets(solver::strong_couplings(matrix, 2, 0.09)) == Neighbours{{1}, {0, 2}, {1}});
  CHECK(to_sets(solver::strong_couplings(matrix, 2, 0.11)) == Neighbours{{1}, {0}, {}});
  CHECK(to_sets(solver::strong_couplings(matrix, 2, 0.51)) == Neighbours{{}, {}, {}});
}

TEST_CASE("Every node with couplings is in one aggregate, which is connected", "[solver][aggregation]") {
  const auto how = GENERATE(Aggregation::mis2, Aggregation::greedy);
  const solver::Couplings couplings = solver::strong_couplings(make_matrix(GENERATE(0, 1, 2, 3)), 1, 0);
  const Neighbours neighbours = to_sets(couplings);

  const solver::Aggregates aggregates = solver::aggregate(couplings, how);
  const std::vector<Index> of_node = to_std(aggregates.of_node);

  std::vector<std::vector<Index>> members(static_cast<std::size_t>(aggregates.count));
  for (std::size_t node = 0; node < of_node.size(); ++node) {
    CAPTURE(node, of_node[node]);
    REQUIRE((of_node[node] < 0) == neighbours[node].empty());
    REQUIRE(of_node[node] < aggregates.count);
    if (of_node[node] >= 0) members[static_cast<std::size_t>(of_node[node])].push_back(static_cast<Index>(node));
  }
  for (const auto& own : members) {
    REQUIRE(own.size() >= 2);
    // some member is a root: each other one is its neighbour, or that of one that is
    const bool has_root = std::any_of(own.begin(), own.end(), [&](Index root) {
      return std::all_of(own.begin(), own.end(), [&](Index node) {
        if (node == root || neighbours[root].contains(node)) return true;
        return std::any_of(own.begin(), own.end(), [&](Index between) {
          return neighbours[root].contains(between) && neighbours[between].contains(node);
        });
      });
    });
    CHECK(has_root);
  }
}

TEST_CASE("Roots have three quarters of their neighbours at least, in every run the same", "[solver][aggregation]") {
  const solver::Couplings couplings = solver::strong_couplings(make_matrix(GENERATE(0, 1, 2, 3)), 1, 0);
  const Neighbours neighbours = to_sets(couplings);

  const solver::Aggregates aggregates = solver::aggregate(couplings, Aggregation::mis2);
  const std::vector<Index> of_node = to_std(aggregates.of_node);

  std::vector<int> roots(static_cast<std::size_t>(aggregates.count), 0);
  for (std::size_t node = 0; node < of_node.size(); ++node) {
    if (of_node[node] < 0) continue;
    const auto own = std::count_if(neighbours[node].begin(), neighbours[node].end(),
                                   [&](Index other) { return of_node[other] == of_node[node]; });
    roots[static_cast<std::size_t>(of_node[node])] += 4 * own >= 3 * Index(neighbours[node].size());
  }
  CHECK(std::all_of(roots.begin(), roots.end(), [](int count) { return count > 0; }));
  CHECK(to_std(solver::aggregate(couplings, Aggregation::mis2).of_node) == of_node);
}

TEST_CASE("Aggregates of a grid have about as many nodes as a stencil", "[solver][aggregation]") {
  const auto how = GENERATE(Aggregation::mis2, Aggregation::greedy);
  const int dim = GENERATE(2, 3), n = dim == 2 ? 60 : 16;
  const auto poisson = linalg::make_poisson(dim, n);

  const solver::Aggregates aggregates = solver::aggregate(solver::strong_couplings(poisson, 1, 0.08), how);

  const double mean = double(poisson.num_rows) / aggregates.count;
  CHECK(mean > (dim == 2 ? 5 : 6));
  CHECK(mean < (dim == 2 ? 9 : 14));
}

TEST_CASE("Aggregates of a rank's nodes leave out others, and a node that is coupled to others alone is one",
          "[solver][aggregation]") {
  // nodes 0 to 4 are the rank's: 0 - 1 - 3 - 7, 2 - 6, 4
  const solver::Couplings couplings{test::to_device<Index>(std::vector<Index>{0, 1, 3, 4, 6, 6}),
                                    test::to_device<Index>(std::vector<Index>{1, 0, 3, 6, 1, 7})};
  for (const solver::Aggregation how : members<solver::Aggregation>()) {
    const solver::Aggregates found = solver::aggregate_own(couplings, how);
    CHECK(found.count == 2);
    CHECK(to_std(found.of_node) == std::vector<Index>{0, 0, 1, 0, -1});
  }
}
