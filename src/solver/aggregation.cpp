// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/aggregation.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"

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
    return (offsets[node * block + 1] - offsets[node * block]) / block;
  }
  KOKKOS_FORCEINLINE_FUNCTION Index column(Index node, Index b) const {
    return columns[offsets[node * block] + b * block] / block;
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

/// The first row whose columns are not those of its node's first row, or not whole blocks.
struct FindPartialBlock {
  const Index *offsets, *columns;
  int block;
  KOKKOS_FORCEINLINE_FUNCTION bool has_whole_blocks(Index row) const {
    const Index first = row / block * block, begin = offsets[row], count = offsets[row + 1] - begin;
    if (count % block != 0 || count != offsets[first + 1] - offsets[first]) return false;
    for (Index e = 0; e < count; ++e) {
      const Index column = columns[begin + e];
      if (column % block != e % block || column / block != columns[begin + e / block * block] / block ||
          column != columns[offsets[first] + e])
        return false;
    }
    return true;
  }
  KOKKOS_FUNCTION void operator()(const Index row, Index& lowest) const {
    if (row < lowest && !has_whole_blocks(row)) lowest = row;
  }
};

struct SquareDiagonal {
  Blocks blocks;
  double* squares;
  KOKKOS_FUNCTION void operator()(const Index node) const {
    double square = 0;
    for (Index b = 0; b < blocks.count(node); ++b)
      if (blocks.column(node, b) == node) square = blocks.square(node, b);
    squares[node] = square;
  }
};

struct Strong {
  Blocks blocks;
  const double* squares;  ///< squared norms of the blocks of the diagonal
  double strength;
  /// Visits the nodes that a node is strongly coupled to.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Index node, const Visit& to) const {
    const double bound = strength * strength * strength * strength * squares[node];
    for (Index b = 0; b < blocks.count(node); ++b) {
      const Index other = blocks.column(node, b);
      const double square = blocks.square(node, b);
      if (other != node && square > 0 && square * square > bound * squares[other]) to(other);
    }
  }
};

struct CountStrong {
  Strong strong;
  Index* counts;
  KOKKOS_FUNCTION void operator()(const Index node) const {
    Index count = 0;
    strong.visit(node, [&](Index) { ++count; });
    counts[node] = count;
  }
};

struct ListStrong {
  Strong strong;
  const Index* offsets;
  Index* nodes;
  KOKKOS_FUNCTION void operator()(const Index node) const {
    Index place = offsets[node];
    strong.visit(node, [&](Index other) { nodes[place++] = other; });
  }
};

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

/// Nodes that are in no aggregate may become roots; in a second round only where three quarters of their neighbours are
/// in none either. The rest is out.
struct Begin {
  const Index *offsets, *nodes, *aggregates;
  bool second;
  std::uint64_t* state;
  Index* list;
  KOKKOS_FUNCTION void operator()(const Index node) const {
    int free = 0;
    if (aggregates[node] < 0)
      for (Index e = offsets[node]; e < offsets[node + 1]; ++e) free += aggregates[nodes[e]] < 0;
    const Index degree = offsets[node + 1] - offsets[node], enough = second && degree > 0 ? (3 * degree + 3) / 4 : 1;
    state[node] = free >= enough ? priority_of(node) : out;
    list[node] = node;
  }
};

/// The highest of `from` at a node and its neighbours.
struct Highest {
  const Index *offsets, *nodes;
  const std::uint64_t* from;
  std::uint64_t* to;
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t at(Index node) const {
    std::uint64_t highest = from[node];
    for (Index e = offsets[node]; e < offsets[node + 1]; ++e)
      if (from[nodes[e]] > highest) highest = from[nodes[e]];
    return highest;
  }
  KOKKOS_FUNCTION void operator()(const Index node) const { to[node] = at(node); }
};

/// What becomes of a node whose highest priority within distance 2 is `most`.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t decide(std::uint64_t own, std::uint64_t most) {
  return own == out || most == in ? out : most == own ? in : own;
}

/// A node whose priority is the highest within distance 2 is in the set, one within distance 2 of a node of the set is
/// out.
struct Decide {
  Highest near;  ///< what the highest of the neighbours has
  const Index* list;
  std::uint64_t* state;
  KOKKOS_FUNCTION void operator()(const Index i) const {
    const Index node = list[i];
    state[node] = decide(state[node], near.at(node));
  }
};

/// Decides where few nodes are left: without the highest of neighbours, into a list of its own, since others read the
/// states meanwhile.
struct DecideFew {
  Highest state;
  const Index* list;
  std::uint64_t* decided;
  KOKKOS_FUNCTION void operator()(const Index i) const {
    const Index node = list[i];
    std::uint64_t most = state.at(node);
    for (Index e = state.offsets[node]; e < state.offsets[node + 1]; ++e) {
      const std::uint64_t other = state.at(state.nodes[e]);
      most = other > most ? other : most;
    }
    decided[i] = decide(state.from[node], most);
  }
};

struct StoreDecided {
  const Index* list;
  const std::uint64_t* decided;
  std::uint64_t* state;
  KOKKOS_FUNCTION void operator()(const Index i) const { state[list[i]] = decided[i]; }
};

/// The undecided nodes of a list, in their order.
struct KeepUndecided {
  const std::uint64_t* state;
  const Index* list;
  Index* kept;
  KOKKOS_FUNCTION void operator()(const Index i, Index& count, const bool last) const {
    const std::uint64_t s = state[list[i]];
    if (s == in || s == out) return;
    if (last) kept[count] = list[i];
    ++count;
  }
};

/// Numbers the nodes of the set, from `first` on.
struct NumberRoots {
  const std::uint64_t* state;
  Index first;
  Index* roots;
  KOKKOS_FUNCTION void operator()(const Index node, Index& count, const bool last) const {
    const bool root = state[node] == in;
    if (last) roots[node] = root ? first + count : -1;
    count += root;
  }
};

/// A node that is in no aggregate joins its own, or that of a neighbour that is a root: there is at most one.
struct JoinRoot {
  const Index *offsets, *nodes, *roots;
  Index* of_node;
  KOKKOS_FUNCTION void operator()(const Index node) const {
    if (of_node[node] >= 0) return;
    Index aggregate = roots[node];
    for (Index e = offsets[node]; e < offsets[node + 1]; ++e)
      if (roots[nodes[e]] >= 0) aggregate = roots[nodes[e]];
    of_node[node] = aggregate;
  }
};

/// Where there is none, the aggregate that most neighbours are in, the lowest of these.
struct JoinNeighbour {
  const Index *offsets, *nodes, *before;
  Index* of_node;
  KOKKOS_FUNCTION void operator()(const Index node) const {
    Index best = before[node];
    int votes = 0;
    if (best < 0)
      for (Index e = offsets[node]; e < offsets[node + 1]; ++e) {
        const Index candidate = before[nodes[e]];
        if (candidate < 0) continue;
        int count = 0;
        for (Index f = offsets[node]; f < offsets[node + 1]; ++f) count += before[nodes[f]] == candidate;
        if (count > votes || (count == votes && candidate < best)) {
          best = candidate;
          votes = count;
        }
      }
    of_node[node] = best;
  }
};

template <class Body>
Index scan(const char* label, Index size, const Body& body) {
  Index count = 0;
  Kokkos::parallel_scan(label, Range(0, size), body, count);
  return count;
}

/// Finds roots in rounds, and their neighbours join them. All nodes may be roots in the first round; in the second,
/// nodes that were left over and have at least two neighbours left over, so that hardly an aggregate is much larger
/// than others.
Aggregates aggregate_mis2(const Couplings& g) {
  const Index size = g.size();
  const auto n = static_cast<std::size_t>(size);
  const Index *const offsets = g.offsets.data(), *const nodes = g.nodes.data();
  const Vector<std::uint64_t> state = make_vector<std::uint64_t>("solver/state", n),
                              near = make_vector<std::uint64_t>("solver/near", n);
  Vector<Index> list = make_vector<Index>("solver/list", n), kept = make_vector<Index>("solver/kept", n);
  const Vector<Index> joined = make_vector<Index>("solver/joined", n);
  Kokkos::deep_copy(joined, -1);
  Aggregates result{make_vector<Index>("solver/aggregates", n)};
  for (const bool second : {false, true}) {
    Kokkos::parallel_for("solver/mis2 begin", Range(0, size),
                         Begin{offsets, nodes, joined.data(), second, state.data(), list.data()});
    for (Index left = size; left > 0;) {
      const Highest of_state{offsets, nodes, state.data(), near.data()};
      if (left > size / 8) {
        Kokkos::parallel_for("solver/mis2 highest", Range(0, size), of_state);
        Kokkos::parallel_for("solver/mis2 decide", Range(0, left),
                             Decide{{offsets, nodes, near.data(), nullptr}, list.data(), state.data()});
      } else {
        Kokkos::parallel_for("solver/mis2 decide", Range(0, left), DecideFew{of_state, list.data(), near.data()});
        Kokkos::parallel_for("solver/mis2 store", Range(0, left), StoreDecided{list.data(), near.data(), state.data()});
      }
      left = scan("solver/mis2 undecided", left, KeepUndecided{state.data(), list.data(), kept.data()});
      std::swap(list, kept);
    }
    const Vector<Index> roots = list;
    result.count += scan("solver/number roots", size, NumberRoots{state.data(), result.count, roots.data()});
    Kokkos::parallel_for("solver/join root", Range(0, size), JoinRoot{offsets, nodes, roots.data(), joined.data()});
  }
  Kokkos::parallel_for("solver/join neighbour", Range(0, size),
                       JoinNeighbour{offsets, nodes, joined.data(), result.of_node.data()});
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
  const Vector<Index> before = to_device("solver/aggregates", first);
  Kokkos::parallel_for("solver/join neighbour", Range(0, size),
                       JoinNeighbour{g.offsets.data(), g.nodes.data(), before.data(), result.of_node.data()});
  return result;
}

}  // namespace

void require_blocks(const linalg::CsrMatrix<double>& matrix, int block) {
  require(block >= 1, fmt::format("AMG: block {}: accepted are 1 and more unknowns per node", block));
  require(matrix.num_rows % block == 0,
          fmt::format("AMG: block {}: a matrix of {} rows has no whole number of nodes", block, matrix.num_rows));
  if (block == 1) return;
  Index lowest = matrix.num_rows;
  Kokkos::parallel_reduce("solver/partial block", Range(0, matrix.num_rows),
                          FindPartialBlock{matrix.offsets.data(), matrix.columns.data(), block},
                          Kokkos::Min<Index>(lowest));
  require(lowest >= matrix.num_rows,
          fmt::format("AMG: block {}: row {} of {} does not consist of whole blocks; accepted are matrices where all "
                      "rows of a node have the same columns, all unknowns of each coupled node, zeros included",
                      block, lowest + 1, matrix.num_rows));
}

Couplings strong_couplings(const linalg::CsrMatrix<double>& matrix, int block, double strength) {
  const Index size = matrix.num_rows / block;
  const Blocks blocks{matrix.offsets.data(), matrix.columns.data(), matrix.values.data(), block};
  const Vector<double> squares = make_vector<double>("solver/squares", static_cast<std::size_t>(size));
  Kokkos::parallel_for("solver/square diagonal", Range(0, size), SquareDiagonal{blocks, squares.data()});
  const Vector<Index> counts = make_vector<Index>("solver/counts", static_cast<std::size_t>(size));
  const Strong strong{blocks, squares.data(), strength};
  Kokkos::parallel_for("solver/count couplings", Range(0, size), CountStrong{strong, counts.data()});
  Couplings result{offsets_of(counts), {}};
  result.nodes = make_vector<Index>("solver/couplings", static_cast<std::size_t>(last_of(result.offsets)));
  Kokkos::parallel_for("solver/list couplings", Range(0, size),
                       ListStrong{strong, result.offsets.data(), result.nodes.data()});
  return result;
}

Aggregates aggregate(const Couplings& couplings, Aggregation how) {
  return how == Aggregation::mis2 ? aggregate_mis2(couplings) : aggregate_greedily(couplings);
}

}  // namespace miniapp::solver
