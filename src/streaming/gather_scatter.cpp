// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/gather_scatter.hpp"

#include <algorithm>
#include <limits>

#include "miniapp/core/error.hpp"
#include "miniapp/graph/transpose.hpp"
#include "miniapp/streaming/entries.hpp"

namespace miniapp::streaming {
namespace {

template <class T>
std::size_t bytes_of(const Vector<T>& vector) {
  return vector.extent(0) * sizeof(T);
}

/// local[q] = global[map[q]].
template <class Real>
struct ScatterNodes {
  static constexpr int entries_per_thread = 4;
  const Index* map;
  const Real* global;
  Real* local;
  KOKKOS_FUNCTION Real load(std::size_t q) const {
    const Index node = map[q];
    return node >= 0 ? global[node] : Real(0);
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t q, Real value, const Add&) const {
    local[q] = value;
  }
};

/// Scatters by rows of n nodes.
template <int n, class Real>
struct ScatterRows {
  static constexpr int entries_per_thread = 4;
  const Index *rows, *listed;
  const Real* global;
  Real* local;
  KOKKOS_FUNCTION Real load(std::size_t q) const {
    const Index row = rows[q / n];
    const int i = static_cast<int>(q % n);
    if (row >= 0) return global[row + i];
    const Index node = listed[~row + i];
    return node >= 0 ? global[node] : Real(0);
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t q, Real value, const Add&) const {
    local[q] = value;
  }
};

/// On a host a work item is a row, whose nodes are copied together.
template <int n, class Real>
struct CopyRow {
  ScatterRows<n, Real> body;
  KOKKOS_FUNCTION void operator()(const std::int64_t row) const {
    const Index first = body.rows[row];
    for (int i = 0; i < n; ++i)
      body.local[row * n + i] = first >= 0 ? body.global[first + i] : body.load(static_cast<std::size_t>(row * n + i));
  }
};

template <int n, class Real>
void scatter_rows(const Instance& instance, const RowMap& map, const Vector<const Real>& global,
                  const Vector<Real>& local) {
  if (map.n == n) {
    const ScatterRows<n, Real> body{map.rows.data(), map.listed.data(), global.data(), local.data()};
    if constexpr (runs_on_host)
      Kokkos::parallel_for(
          "streaming/scatter",
          Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(instance.space(), 0, map.rows.extent(0)),
          CopyRow<n, Real>{body});
    else
      for_entries(instance, "streaming/scatter", local.extent(0), body);
    return;
  }
  if constexpr (n < 16) scatter_rows<n + 1>(instance, map, global, local);
}

/// Blocks of NodeRows: entry i of a block is at position(i) of x_L, those of a node are begin(node) .. end(node).
struct WideForm {
  const std::uint32_t *offsets, *positions;
  const Index* blocks;
  struct Block {
    int first, last, size;  ///< nodes, entries
    const std::uint32_t *offsets, *positions;
    std::uint32_t from;
    KOKKOS_FORCEINLINE_FUNCTION std::size_t position(int entry) const { return positions[entry]; }
    KOKKOS_FORCEINLINE_FUNCTION int begin(int node) const { return static_cast<int>(offsets[node] - from); }
    KOKKOS_FORCEINLINE_FUNCTION int end(int node) const { return begin(node + 1); }
  };
  KOKKOS_FORCEINLINE_FUNCTION Block block(int b) const {
    const int first = blocks[b], last = blocks[b + 1];
    const std::uint32_t from = offsets[first];
    return {first, last, static_cast<int>(offsets[last] - from), offsets, positions + from, from};
  }
};

/// Blocks of NarrowRows, with the members of WideForm.
struct NarrowForm {
  const std::uint16_t *row_ends, *entries;
  const Index* blocks;
  const std::int64_t *entry_begin, *piece_begin;
  const std::uint32_t* pieces;
  struct Block {
    int first, last, size;
    const std::uint16_t *row_ends, *entries;
    const std::uint32_t* pieces;
    KOKKOS_FORCEINLINE_FUNCTION std::size_t position(int entry) const {
      constexpr unsigned piece = NarrowRows::piece_size;
      const unsigned at = entries[entry];
      return std::size_t(pieces[at / piece]) * piece + at % piece;
    }
    KOKKOS_FORCEINLINE_FUNCTION int begin(int node) const { return node == first ? 0 : row_ends[node - 1]; }
    KOKKOS_FORCEINLINE_FUNCTION int end(int node) const { return row_ends[node]; }
  };
  KOKKOS_FORCEINLINE_FUNCTION Block block(int b) const {
    const std::int64_t begin = entry_begin[b];
    return {blocks[b], blocks[b + 1],   static_cast<int>(entry_begin[b + 1] - begin),
            row_ends,  entries + begin, pieces + piece_begin[b]};
  }
};

/// A team sums the nodes of a block: it first copies all entries to scratch, where each thread loads several at once.
template <class Form, class Real>
struct GatherBlocks {
  static constexpr int threads = 256, teams_at_once = 8, capacity = NodeRows::block_size;
  static constexpr std::size_t scratch_bytes = capacity * sizeof(Real);
  Form form;
  const Real* local;
  Real* global;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    constexpr int entries_per_thread = capacity / threads;
    const auto block = form.block(team.league_rank());
    if (block.size > capacity) return sum_long_row(team, block);
    Real* const staged = static_cast<Real*>(team.scratch());
    std::size_t position[entries_per_thread];
    MINIAPP_UNROLL
    for (int e = 0; e < entries_per_thread; ++e)
      position[e] = team.team_rank() + e * threads < block.size ? block.position(team.team_rank() + e * threads) : 0;
    MINIAPP_UNROLL
    for (int e = 0; e < entries_per_thread; ++e)
      if (team.team_rank() + e * threads < block.size) staged[team.team_rank() + e * threads] = local[position[e]];
    team.team_barrier();
    for (int node = block.first + team.team_rank(); node < block.last; node += threads) {
      Real sum = 0;
      for (int i = block.begin(node), end = block.end(node); i < end; ++i) sum += staged[i];
      global[node] = sum;
    }
  }

  /// Sums a block with a single node.
  template <class Block>
  KOKKOS_FUNCTION void sum_long_row(const Team& team, const Block& block) const {
    if (team.team_rank() > 0) return;
    Real sum = 0;
    for (int i = 0; i < block.size; ++i) sum += local[block.position(i)];
    global[block.first] = sum;
  }
};

template <class Real, class Form>
void gather_blocks(const Instance& instance, int blocks, const Form& form, const Vector<const Real>& local,
                   const Vector<Real>& global) {
  if constexpr (!runs_on_host)
    return for_teams(instance, "streaming/gather", blocks, GatherBlocks<Form, Real>{form, local.data(), global.data()});
  Kokkos::parallel_for(
      "streaming/gather", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, blocks), KOKKOS_LAMBDA(const int b) {
        const auto block = form.block(b);
        for (int node = block.first; node < block.last; ++node) {
          Real sum = 0;
          for (int i = block.begin(node), end = block.end(node); i < end; ++i) sum += local[block.position(i)];
          global[node] = sum;
        }
      });
}

/// Errors: ResultError where positions in x_L do not fit in 32 bits.
void require_narrow(std::size_t places) {
  if (places > std::numeric_limits<std::uint32_t>::max())
    throw ResultError("gather: " + std::to_string(places) + " local nodes; accepted are up to 2^32 - 1");
}

NodeRows make_node_rows(const Csr<std::int64_t>& rows) {
  std::vector<Index> blocks{0};
  const auto nodes = static_cast<Index>(rows.offsets.size() - 1);
  for (Index node = 0; node < nodes; ++node) {
    const Index first = blocks.back();
    if (node > first &&
        (rows.offsets[node + 1] - rows.offsets[first] > NodeRows::block_size || node - first == NodeRows::block_size))
      blocks.push_back(node);
  }
  if (nodes > 0) blocks.push_back(nodes);
  const auto narrow = [](const std::vector<std::int64_t>& wide) {
    return std::vector<std::uint32_t>(wide.begin(), wide.end());
  };
  return {to_device("streaming/row_offsets", narrow(rows.offsets)),
          to_device("streaming/row_positions", narrow(rows.entries)), to_device("streaming/row_blocks", blocks)};
}

/// The pieces of x_L that a block uses, numbered in the order of first use.
class Pieces {
 public:
  explicit Pieces(std::size_t places) : slot_(places / NarrowRows::piece_size + 1, -1) {}
  int slot(std::int64_t position) {
    int& slot = slot_[position / NarrowRows::piece_size];
    if (slot < 0) {
      slot = static_cast<int>(met_.size());
      met_.push_back(static_cast<std::uint32_t>(position / NarrowRows::piece_size));
    }
    return slot;
  }
  std::size_t size() const { return met_.size(); }
  /// Removes the pieces from `size` on.
  void shrink(std::size_t size) {
    for (; met_.size() > size; met_.pop_back()) slot_[met_.back()] = -1;
  }
  const std::vector<std::uint32_t>& met() const { return met_; }

 private:
  std::vector<int> slot_;
  std::vector<std::uint32_t> met_;
};

/// Empty if a single node has too many entries or pieces for a block.
NarrowRows make_narrow_rows(const Csr<std::int64_t>& rows, std::size_t places) {
  constexpr int block_size = NodeRows::block_size;
  const auto nodes = static_cast<Index>(rows.offsets.size() - 1);
  std::vector<std::uint16_t> row_ends, entries;
  std::vector<Index> blocks{0};
  std::vector<std::int64_t> entry_begin{0}, piece_begin{0};
  std::vector<std::uint32_t> pieces;
  Pieces met(places);
  const auto close = [&](Index node) {
    pieces.insert(pieces.end(), met.met().begin(), met.met().end());
    met.shrink(0);
    blocks.push_back(node);
    entry_begin.push_back(rows.offsets[node]);
    piece_begin.push_back(static_cast<std::int64_t>(pieces.size()));
  };
  for (Index node = 0; node < nodes; ++node) {
    for (bool again = true; again;) {
      const std::size_t met_before = met.size();
      const std::int64_t begin = rows.offsets[node], end = rows.offsets[node + 1];
      again = node - blocks.back() == block_size || end - entry_begin.back() > block_size;
      for (std::int64_t i = begin; !again && i < end; ++i) {
        met.slot(rows.entries[i]);
        again = met.size() > NarrowRows::max_pieces;
      }
      if (!again) break;
      if (node == blocks.back()) return {};
      met.shrink(met_before);
      close(node);
    }
    for (std::int64_t i = rows.offsets[node]; i < rows.offsets[node + 1]; ++i)
      entries.push_back(static_cast<std::uint16_t>(met.slot(rows.entries[i]) * NarrowRows::piece_size +
                                                   rows.entries[i] % NarrowRows::piece_size));
    row_ends.push_back(static_cast<std::uint16_t>(rows.offsets[node + 1] - entry_begin.back()));
  }
  if (nodes > 0) close(nodes);
  return {to_device("streaming/row_ends", row_ends),       to_device("streaming/row_entries", entries),
          to_device("streaming/row_blocks", blocks),       to_device("streaming/entry_begin", entry_begin),
          to_device("streaming/piece_begin", piece_begin), to_device("streaming/pieces", pieces)};
}

}  // namespace

RowMap make_row_map(const Map& map, int n) {
  std::vector<Index> rows, listed;
  rows.reserve(map.entries.size() / n);
  for (std::size_t q = 0; q < map.entries.size(); q += n) {
    bool consecutive = map.entries[q] >= 0;
    for (int i = 1; i < n; ++i) consecutive = consecutive && map.entries[q + i] == map.entries[q] + i;
    if (!consecutive && listed.size() > std::size_t(std::numeric_limits<Index>::max()) - n)
      throw ResultError("scatter: more than 2^31 - 1 nodes to list; accepted are fewer, or one index per node");
    rows.push_back(consecutive ? map.entries[q] : ~static_cast<Index>(listed.size()));
    if (!consecutive) listed.insert(listed.end(), map.entries.begin() + q, map.entries.begin() + q + n);
  }
  return {n, to_device("streaming/rows", rows), to_device("streaming/listed", listed)};
}

std::size_t index_bytes(const RowMap& map) { return bytes_of(map.rows) + bytes_of(map.listed); }

template <class Real>
void scatter(const Instance& instance, const NodeMap& map, const Vector<const Real>& global,
             const Vector<Real>& local) {
  for_entries(instance, "streaming/scatter", map.extent(0),
              ScatterNodes<Real>{map.data(), global.data(), local.data()});
}

Scatter::Scatter(const Map& element_to_node, int n, Indexing indexing)
    : indexing_(2 <= n && n <= 16 && element_to_node.arity % n == 0 ? indexing : Indexing::nodes) {
  if (indexing_ == Indexing::nodes)
    nodes_ = read_on_device("streaming/node map", element_to_node.entries);
  else
    rows_ = make_row_map(element_to_node, n);
}

template <class Real>
void Scatter::apply(const Instance& instance, const Vector<const Real>& global, const Vector<Real>& local) const {
  if (indexing_ == Indexing::nodes)
    scatter<Real>(instance, nodes_, global, local);
  else
    scatter_rows<2>(instance, rows_, global, local);
}

std::size_t Scatter::index_bytes() const { return bytes_of(nodes_) + streaming::index_bytes(rows_); }

Gather::Gather(const Map& element_to_node, std::size_t num_nodes, Indexing indexing) {
  require_narrow(element_to_node.entries.size());
  const Csr<std::int64_t> rows = graph::transpose(element_to_node, num_nodes);
  if (indexing == Indexing::compact) narrow_ = make_narrow_rows(rows, element_to_node.entries.size());
  if (this->indexing() == Indexing::nodes) rows_ = make_node_rows(rows);
}

template <class Real>
void Gather::apply(const Instance& instance, const Vector<const Real>& local, const Vector<Real>& global) const {
  if (indexing() == Indexing::nodes)
    gather_blocks<Real>(instance, static_cast<int>(rows_.blocks.extent(0)) - 1,
                        WideForm{rows_.offsets.data(), rows_.positions.data(), rows_.blocks.data()}, local, global);
  else
    gather_blocks<Real>(instance, static_cast<int>(narrow_.blocks.extent(0)) - 1,
                        NarrowForm{narrow_.row_ends.data(), narrow_.entries.data(), narrow_.blocks.data(),
                                   narrow_.entry_begin.data(), narrow_.piece_begin.data(), narrow_.pieces.data()},
                        local, global);
}

std::size_t Gather::index_bytes() const {
  return bytes_of(rows_.offsets) + bytes_of(rows_.positions) + bytes_of(rows_.blocks) + bytes_of(narrow_.row_ends) +
         bytes_of(narrow_.entries) + bytes_of(narrow_.blocks) + bytes_of(narrow_.entry_begin) +
         bytes_of(narrow_.piece_begin) + bytes_of(narrow_.pieces);
}

#define MINIAPP_INSTANTIATE(Real)                                                                         \
  template void scatter(const Instance&, const NodeMap&, const Vector<const Real>&, const Vector<Real>&); \
  template void Scatter::apply(const Instance&, const Vector<const Real>&, const Vector<Real>&) const;    \
  template void Gather::apply(const Instance&, const Vector<const Real>&, const Vector<Real>&) const;
MINIAPP_INSTANTIATE(double)
MINIAPP_INSTANTIATE(float)
#undef MINIAPP_INSTANTIATE

}  // namespace miniapp::streaming
