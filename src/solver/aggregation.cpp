// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/aggregation.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "core/offsets.hpp"
#include "linalg/whole_blocks.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/linalg/local_rows.hpp"
#include "solver/by_block.hpp"

namespace miniapp::solver {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

// ---- strong couplings

/// The blocks of a matrix by nodes, as require_blocks() demands.
struct Blocks {
  const Index *offsets, *columns;
  const double* values;
  int block;

  /// Number of blocks in the row of a node.
  KOKKOS_FORCEINLINE_FUNCTION Index count(Index node) const {
    return by_block(offsets[node * block + 1] - offsets[node * block], block);
  }
  KOKKOS_FORCEINLINE_FUNCTION Index column(Index node, Index b) const {
    return by_block(columns[offsets[node * block] + b * block], block);
  }
  /// The sum of squares of a block.
  KOKKOS_FORCEINLINE_FUNCTION double square(Index node, Index b) const {
    double sum = 0;
    for (int i = 0; i < block; ++i) {
      const double* const row = values + offsets[node * block + i] + b * block;
      for (int k = 0; k < block; ++k) sum += row[k] * row[k];
    }
    return sum;
  }
};

/// squares (row): the sum of squares of the block on the diagonal.
Vector<double> square_diagonal(const Blocks& blocks, Index size) {
  const Vector<double> squares = make_vector<double>("solver/squares", std::size_t(size) * blocks.block);
  Kokkos::parallel_for(
      "solver/square diagonal", Range(0, size), KOKKOS_LAMBDA(const Index node) {
        double square = 0;
        for (Index b = 0; b < blocks.count(node); ++b)
          if (blocks.column(node, b) == node) square = blocks.square(node, b);
        for (int b = 0; b < blocks.block; ++b) squares(node * blocks.block + b) = square;
      });
  return squares;
}

struct Strong {
  Blocks blocks;
  const double* squares;  ///< (row): squared norms of the blocks of the diagonal
  double strength;
  /// Visits the nodes that a node is strongly coupled to.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Index node, const Visit& to) const {
    const double bound = strength * strength * strength * strength * squares[node * blocks.block];
    for (Index b = 0; b < blocks.count(node); ++b) {
      const Index other = blocks.column(node, b);
      const double square = blocks.square(node, b);
      if (other != node && square > 0 && square * square > bound * squares[other * blocks.block]) to(other);
    }
  }
};

/// Those of couplings that lead to nodes with rows.
struct AmongOwn {
  const Index *offsets, *nodes;
  Index size;
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Index node, const Visit& to) const {
    for (Index e = offsets[node]; e < offsets[node + 1]; ++e)
      if (nodes[e] < size) to(nodes[e]);
  }
};

/// The couplings of `size` nodes to those that found.visit(node, to) calls to(other) with.
template <class Found>
Couplings list_couplings(Index size, const Found& found) {
  const Vector<Index> counts = make_vector<Index>("solver/counts", static_cast<std::size_t>(size));
  Kokkos::parallel_for(
      "solver/count couplings", Range(0, size), KOKKOS_LAMBDA(const Index node) {
        Index count = 0;
        found.visit(node, [&](Index) { ++count; });
        counts(node) = count;
      });
  const Vector<Index> offsets = offsets_of(counts);
  const Vector<Index> nodes = make_vector<Index>("solver/couplings", static_cast<std::size_t>(last_of(offsets)));
  Kokkos::parallel_for(
      "solver/list couplings", Range(0, size), KOKKOS_LAMBDA(const Index node) {
        Index place = offsets(node);
        found.visit(node, [&](Index other) { nodes(place++) = other; });
      });
  return {offsets, nodes};
}

// ---- the maximal independent set

constexpr std::uint64_t out = 0, in = ~std::uint64_t(0);  // what has been decided; all else is a priority

/// A node's pseudo-random priority, different for all nodes.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t priority_of(Index node) {
  auto bits = static_cast<std::uint32_t>(node);
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  bits ^= bits >> 16;
  return (std::uint64_t(bits >> 1) + 1) << 32 | static_cast<std::uint32_t>(node);
}

/// Lists all nodes. Those that are in no aggregate may become roots; in a second round only where three quarters of
/// their neighbours are in none either. The rest is out.
void begin_round(const Couplings& g, const Vector<Index>& aggregates, bool second, const Vector<std::uint64_t>& state,
                 const Vector<Index>& list) {
  const auto offsets = g.offsets, nodes = g.nodes;
  Kokkos::parallel_for(
      "solver/mis2 begin", Range(0, g.size()), KOKKOS_LAMBDA(const Index node) {
        int free = 0;
        if (aggregates(node) < 0)
          for (Index e = offsets(node); e < offsets(node + 1); ++e) free += aggregates(nodes(e)) < 0;
        const Index degree = offsets(node + 1) - offsets(node);
        const Index enough = second && degree > 0 ? (3 * degree + 3) / 4 : 1;
        state(node) = free >= enough ? priority_of(node) : out;
        list(node) = node;
      });
}

/// What nodes have, and the nodes that they are coupled to.
struct Neighbourhood {
  const Index *offsets, *nodes;
  const std::uint64_t* of_node;
  /// The highest that a node and its neighbours have.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t highest(Index node) const {
    std::uint64_t highest = of_node[node];
    for (Index e = offsets[node]; e < offsets[node + 1]; ++e)
      if (of_node[nodes[e]] > highest) highest = of_node[nodes[e]];
    return highest;
  }
  /// The highest within distance 2.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t highest_of_two(Index node) const {
    std::uint64_t most = highest(node);
    for (Index e = offsets[node]; e < offsets[node + 1]; ++e) {
      const std::uint64_t other = highest(nodes[e]);
      most = other > most ? other : most;
    }
    return most;
  }
};

/// What becomes of a node whose highest priority within distance 2 is `most`: in the set where that is its own, out
/// where it is a node of the set.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t decide(std::uint64_t own, std::uint64_t most) {
  return own == out || most == in ? out : most == own ? in : own;
}

/// Decides the first `left` nodes of a list; near (node) is room for the highest that a node and its neighbours have.
void decide_many(const Couplings& g, const Vector<Index>& list, Index left, const Vector<std::uint64_t>& state,
                 const Vector<std::uint64_t>& near) {
  const Neighbourhood states{g.offsets.data(), g.nodes.data(), state.data()};
  const Neighbourhood nearest{g.offsets.data(), g.nodes.data(), near.data()};
  Kokkos::parallel_for(
      "solver/mis2 highest", Range(0, g.size()),
      KOKKOS_LAMBDA(const Index node) { near(node) = states.highest(node); });
  Kokkos::parallel_for(
      "solver/mis2 decide", Range(0, left),
      KOKKOS_LAMBDA(const Index i) { state(list(i)) = decide(state(list(i)), nearest.highest(list(i))); });
}

/// Does the same where few nodes are left, without the highest of all others. `decided` is room for the results, since
/// nodes read each other's states meanwhile.
void decide_few(const Couplings& g, const Vector<Index>& list, Index left, const Vector<std::uint64_t>& state,
                const Vector<std::uint64_t>& decided) {
  const Neighbourhood states{g.offsets.data(), g.nodes.data(), state.data()};
  Kokkos::parallel_for(
      "solver/mis2 decide", Range(0, left),
      KOKKOS_LAMBDA(const Index i) { decided(i) = decide(state(list(i)), states.highest_of_two(list(i))); });
  Kokkos::parallel_for(
      "solver/mis2 store", Range(0, left), KOKKOS_LAMBDA(const Index i) { state(list(i)) = decided(i); });
}

/// Copies the undecided of the first `left` nodes of a list to `kept`, in their order; returns how many they are.
Index keep_undecided(const Vector<Index>& list, Index left, const Vector<std::uint64_t>& state,
                     const Vector<Index>& kept) {
  const Vector<char> undecided = make_vector<char>("solver/undecided", left);
  Kokkos::parallel_for(
      "solver/mis2 undecided", Range(0, left), KOKKOS_LAMBDA(const Index i) {
        const std::uint64_t s = state(list(i));
        undecided(i) = s != in && s != out;
      });
  const Vector<Index> places = offsets_of(undecided);
  Kokkos::parallel_for(
      "solver/mis2 keep", Range(0, left), KOKKOS_LAMBDA(const Index i) {
        if (undecided(i)) kept(places(i)) = list(i);
      });
  return last_of(places);
}

/// Gives marked nodes the numbers from `first` on; returns how many they are.
Index number_marked(const Vector<const char>& marks, Index first, const Vector<Index>& numbers) {
  const Vector<Index> places = offsets_of(marks);
  Kokkos::parallel_for(
      "solver/number marked", Range(0, static_cast<Index>(marks.extent(0))), KOKKOS_LAMBDA(const Index node) {
        if (marks(node)) numbers(node) = first + places(node);
      });
  return last_of(places);
}

/// roots (node): the numbers of the nodes of the set, from `first` on, -1 for the others; returns how many they are.
Index number_roots(const Vector<std::uint64_t>& state, Index first, const Vector<Index>& roots) {
  const Vector<char> is_root = make_vector<char>("solver/is root", state.extent(0));
  Kokkos::parallel_for(
      "solver/find roots", Range(0, static_cast<Index>(state.extent(0))), KOKKOS_LAMBDA(const Index node) {
        is_root(node) = state(node) == in;
        roots(node) = -1;
      });
  return number_marked(is_root, first, roots);
}

/// A node that is in no aggregate joins its own, or that of a neighbour that is a root: there is at most one.
void join_roots(const Couplings& g, const Vector<Index>& roots, const Vector<Index>& of_node) {
  const auto offsets = g.offsets, nodes = g.nodes;
  Kokkos::parallel_for(
      "solver/join root", Range(0, g.size()), KOKKOS_LAMBDA(const Index node) {
        if (of_node(node) >= 0) return;
        Index aggregate = roots(node);
        for (Index e = offsets(node); e < offsets(node + 1); ++e)
          if (roots(nodes(e)) >= 0) aggregate = roots(nodes(e));
        of_node(node) = aggregate;
      });
}

/// of_node = `before`; where that is none, the aggregate that most neighbours are in, the lowest of these.
void join_neighbours(const Couplings& g, const Vector<Index>& before, const Vector<Index>& of_node) {
  const auto offsets = g.offsets, nodes = g.nodes;
  Kokkos::parallel_for(
      "solver/join neighbour", Range(0, g.size()), KOKKOS_LAMBDA(const Index node) {
        Index best = before(node);
        int votes = 0;
        if (best < 0)
          for (Index e = offsets(node); e < offsets(node + 1); ++e) {
            const Index candidate = before(nodes(e));
            if (candidate < 0) continue;
            int count = 0;
            for (Index f = offsets(node); f < offsets(node + 1); ++f) count += before(nodes(f)) == candidate;
            if (count > votes || (count == votes && candidate < best)) {
              best = candidate;
              votes = count;
            }
          }
        of_node(node) = best;
      });
}

/// Finds roots in rounds, and their neighbours join them. All nodes may be roots in the first round; in the second,
/// nodes that were left over and have at least two neighbours left over, so that hardly an aggregate is much larger
/// than others.
Aggregates aggregate_mis2(const Couplings& g) {
  const Index size = g.size(), few = size / 8;
  const auto n = static_cast<std::size_t>(size);
  const Vector<std::uint64_t> state = make_vector<std::uint64_t>("solver/state", n),
                              near = make_vector<std::uint64_t>("solver/near", n),
                              decided = make_vector<std::uint64_t>("solver/decided", static_cast<std::size_t>(few));
  Vector<Index> list = make_vector<Index>("solver/list", n), kept = make_vector<Index>("solver/kept", n);
  const Vector<Index> joined = make_vector<Index>("solver/joined", n);
  fill(joined, -1);
  Aggregates result{make_vector<Index>("solver/aggregates", n)};
  for (const bool second : {false, true}) {
    begin_round(g, joined, second, state, list);
    for (Index left = size; left > 0;) {
      if (left > few)
        decide_many(g, list, left, state, near);
      else
        decide_few(g, list, left, state, decided);
      left = keep_undecided(list, left, state, kept);
      std::swap(list, kept);
    }
    const Vector<Index> roots = list;
    result.count += number_roots(state, result.count, roots);
    join_roots(g, roots, joined);
  }
  join_neighbours(g, joined, result.of_node);
  return result;
}

/// Every node whose neighbours are all free becomes a root with them; other nodes join a neighbour's aggregate.
Aggregates aggregate_greedily(const Couplings& g) {
  const Index size = g.size();
  const auto offsets = to_host(g.offsets), nodes = to_host(g.nodes);
  std::vector<Index> first(static_cast<std::size_t>(size), -1);
  Index count = 0;
  for (Index node = 0; node < size; ++node) {
    bool free = first[node] < 0 && offsets(node) < offsets(node + 1);
    for (Index e = offsets(node); free && e < offsets(node + 1); ++e) free = first[nodes(e)] < 0;
    if (!free) continue;
    first[node] = count;
    for (Index e = offsets(node); e < offsets(node + 1); ++e) first[nodes(e)] = count;
    ++count;
  }
  const Aggregates result{make_vector<Index>("solver/aggregates", first.size()), count};
  join_neighbours(g, to_device("solver/aggregates", first), result.of_node);
  return result;
}

}  // namespace

void require_blocks(const linalg::CsrMatrix<double>& matrix, int block) {
  require(block >= 1, fmt::format("AMG: block {}: accepted are 1 and more unknowns per node", block));
  require(matrix.num_rows % block == 0,
          fmt::format("AMG: block {}: a matrix of {} rows has no whole number of nodes", block, matrix.num_rows));
  if (block == 1) return;
  Index lowest = matrix.num_rows;
  const Index *const offsets = matrix.offsets.data(), *const columns = matrix.columns.data();
  Kokkos::parallel_reduce(
      "solver/partial block", Range(0, matrix.num_rows),
      KOKKOS_LAMBDA(const Index row, Index& first) {
        if (row < first && !linalg::has_whole_blocks(offsets, columns, block, block, row)) first = row;
      },
      Kokkos::Min<Index>(lowest));
  if (lowest >= matrix.num_rows) return;  // then it is the largest number that there is
  throw InputError(
      fmt::format("AMG: block {}: row {} of {} does not consist of whole blocks; accepted are matrices where all "
                  "rows of a node have the same columns, all unknowns of each coupled node, zeros included",
                  block, lowest + 1, matrix.num_rows));
}

Couplings strong_couplings(const linalg::CsrMatrix<double>& matrix, int block, double strength,
                           const linalg::GhostItems& items) {
  const Index size = matrix.num_rows / block;
  const Blocks blocks{matrix.offsets.data(), matrix.columns.data(), matrix.values.data(), block};
  Vector<double> squares = square_diagonal(blocks, size);
  if (!items.ranks.is_alone()) squares = linalg::append_values(squares, 1, matrix.num_rows, items);
  return list_couplings(size, Strong{blocks, squares.data(), strength});
}

Aggregates aggregate(const Couplings& couplings, Aggregation how) {
  return how == Aggregation::mis2 ? aggregate_mis2(couplings) : aggregate_greedily(couplings);
}

Aggregates aggregate_own(const Couplings& couplings, Aggregation how) {
  const Couplings own =
      list_couplings(couplings.size(), AmongOwn{couplings.offsets.data(), couplings.nodes.data(), couplings.size()});
  Aggregates result = aggregate(own, how);
  const auto offsets = couplings.offsets;
  const auto of_node = result.of_node;
  const Index first = result.count;
  const Vector<char> is_alone = make_vector<char>("solver/is alone", std::size_t(couplings.size()));
  Kokkos::parallel_for(
      "solver/find aggregates of one", Range(0, couplings.size()), KOKKOS_LAMBDA(const Index node) {
        is_alone(node) = of_node(node) >= first || (of_node(node) < 0 && offsets(node) < offsets(node + 1));
      });
  result.count += number_marked(is_alone, first, of_node);
  return result;
}

}  // namespace miniapp::solver
