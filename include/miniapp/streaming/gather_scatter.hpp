// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "miniapp/core/instance.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/core/names.hpp"

/// BS6 gather x_G = Z^T x_L and BS7 scatter x_L = Z x_G of the streaming paper, for the element-to-global map Z
/// (element, local node): global node, ~node where masked. Each has the form of the paper, one index per local node,
/// and a compact one that moves fewer bytes; results are the same to the last bit.
namespace miniapp::streaming {

/// How Z is stored for scatter and gather.
enum class Indexing {
  nodes,    ///< the paper's: one index per local node; Z^T in CSR rows
  compact,  ///< Z: one index per row of consecutive nodes; Z^T: 16-bit offsets into pieces of x_L
};
constexpr auto names(Indexing) { return std::array{"nodes", "compact"}; }

/// The faster forms: on a host, gather loses more by decoding 16-bit offsets than it gains by reading less.
inline constexpr Indexing scatter_indexing = Indexing::compact;
inline constexpr Indexing gather_indexing = runs_on_host ? Indexing::nodes : Indexing::compact;

/// Z on the device: (position) the global node of each local node, ~node where masked.
using NodeMap = Vector<const Index>;

/// Z on the device by rows of n local nodes: rows[r] is the first of n consecutive unmasked global nodes, or ~b if the
/// row's n entries of Z are listed[b .. b + n).
struct RowMap {
  int n = 1;
  Vector<const Index> rows, listed;
};

/// Z^T on the device in CSR form: node g sums the local values at positions[offsets[g] .. offsets[g + 1]), in ascending
/// order. Block b holds nodes blocks[b] .. blocks[b + 1), of 1024 entries and 1024 nodes at most; a node with more
/// entries has a block of its own.
struct NodeRows {
  static constexpr int block_size = 1024;
  Vector<const std::uint32_t> offsets, positions;
  Vector<const Index> blocks;
};

/// The indexing with 16 bits per entry and 16 per node: x_L is cut into pieces of 512; an entry is offset + 512 s,
/// where s numbers the pieces of its block, pieces[piece_begin[b] + s]. Ends of rows are relative to the block's first
/// entry.
struct NarrowRows {
  static constexpr int piece_size = 512, max_pieces = 65536 / piece_size;
  Vector<const std::uint16_t> row_ends, entries;
  Vector<const Index> blocks;
  Vector<const std::int64_t> entry_begin, piece_begin;  ///< (block), one more behind the last
  Vector<const std::uint32_t> pieces;
};

/// Rows of n entries, n dividing the map's arity. Errors: ResultError where more than 2^31 - 1 entries would be listed.
RowMap make_row_map(const Map& element_to_node, int n);
std::size_t index_bytes(const RowMap& map);

/// local[q] = global[map[q]], zero where masked.
template <class Real>
void scatter(const Instance& instance, const NodeMap& map, const Vector<const Real>& global, const Vector<Real>& local);

/// BS7, x_L = Z x_G, zero where masked. Bytes moved: one word per local and per global value, and index_bytes().
class Scatter {
 public:
  /// Rows have n entries, 2 to 16, n dividing the map's arity; otherwise it uses `nodes`, which on a host reads the map
  /// itself: the map must outlive this object. Errors: as make_row_map().
  Scatter(const Map& element_to_node, int n, Indexing indexing);

  template <class Real>
  void apply(const Instance& instance, const Vector<const Real>& global, const Vector<Real>& local) const;
  /// Size of the arrays that hold Z.
  std::size_t index_bytes() const;

 private:
  Indexing indexing_;
  NodeMap nodes_;
  RowMap rows_;
};

/// BS6, x_G = Z^T x_L: the sum of a node's local values in ascending order, zero if there are none. Bytes moved: one
/// word per local and per global value, and index_bytes().
class Gather {
 public:
  /// If Z does not fit the compact form, since a node has too many elements, it uses the other form.
  /// Errors: ResultError beyond 2^32 - 1 local nodes.
  Gather(const Map& element_to_node, std::size_t num_nodes, Indexing indexing);

  template <class Real>
  void apply(const Instance& instance, const Vector<const Real>& local, const Vector<Real>& global) const;
  /// Size of the arrays that hold Z^T.
  std::size_t index_bytes() const;
  Indexing indexing() const { return narrow_.blocks.extent(0) > 0 ? Indexing::compact : Indexing::nodes; }

 private:
  NodeRows rows_;
  NarrowRows narrow_;
};

}  // namespace miniapp::streaming
