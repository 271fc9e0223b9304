// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "linalg/counted_rows.hpp"
#include "miniapp/linalg/block_matrix.hpp"
#include "miniapp/linalg/sparse_products.hpp"
#include "miniapp/weakform/assembled_jacobian.hpp"

namespace miniapp::weakform {

namespace {

/// The rows of a matrix of nodes, each as one row per component with all components of its columns. A node whose row is
/// empty, since it is constrained or no cell has it, gets its diagonal block.
template <class Offset>
struct RowsOfBlocks {
  const Offset* offsets;
  const Index* columns;
  Index components;
  template <class To>
  KOKKOS_FUNCTION void visit(Index row, const To& to) const {
    const Index node = row / components;
    const Offset begin = offsets[node], end = offsets[node + 1];
    for (Index k = 0; begin == end && k < components; ++k) to(node * components + k, 0.0);
    for (Offset e = begin; e < end; ++e)
      for (Index k = 0; k < components; ++k) to(columns[e] * components + k, 0.0);
  }
};

template <class Offset>
linalg::CsrMatrix<double> make_zeros_of_blocks(const Offset* offsets, const Index* columns, const space::Space& space) {
  linalg::require_countable(std::int64_t(space.num_nodes) * space.components);
  const Index rows = space.num_nodes * space.components;
  return linalg::make_visited_rows<double>(RowsOfBlocks<Offset>{offsets, columns, space.components}, rows, rows);
}

#if defined(MINIAPP_RUNS_ON_HOST)

linalg::CsrMatrix<double> make_for_cells(const space::Space& space) {
  const Csr<> blocks = linalg::make_block_pattern(space.element_to_node.host(), std::size_t(space.num_nodes));
  return make_zeros_of_blocks(blocks.offsets.data(), blocks.entries.data(), space);
}

#else

/// The free nodes of each cell, ascending, as rows of zeros.
struct NodesOfCells {
  const Index* nodes;  ///< (cell, vertex): node, ~node where it is constrained
  int arity;
  template <class To>
  KOKKOS_FUNCTION void visit(Index cell, const To& to) const {
    const Index* const own = nodes + std::int64_t(cell) * arity;
    for (Index last = -1, next = 0; next >= 0; last = next) {
      next = -1;
      for (int v = 0; v < arity; ++v)
        if (own[v] > last && (next < 0 || own[v] < next)) next = own[v];
      if (next >= 0) to(next, 0.0F);
    }
  }
};

/// The pattern of B^T B, where B has the rows NodesOfCells. A host would be slower this way.
linalg::CsrMatrix<double> make_for_cells(const space::Space& space) {
  const SharedMap& map = space.element_to_node;
  linalg::CsrMatrix<float> blocks;
  {
    const linalg::CsrMatrix<float> B = linalg::make_visited_rows<float>(
        NodesOfCells{map.device().data(), map.arity()}, static_cast<Index>(map.size()), space.num_nodes);
    blocks = linalg::multiply(linalg::transpose(B), B);
  }
  return make_zeros_of_blocks(blocks.offsets.data(), blocks.columns.data(), space);
}

#endif

}  // namespace

std::vector<Index> owned_masked(const space::Space& space) {
  std::vector<Index> owned;
  for (const Index node : space.masked)
    if (space.owns(node)) owned.push_back(node);
  return owned;
}

std::vector<char> mark_held(const space::Space& space, const std::vector<char>& held) {
  if (held.empty()) return {};
  require(held.size() == space.num_entries(), "held", std::to_string(held.size()),
          "flags; accepted is one for each of the " + std::to_string(space.num_entries()) + " unknowns");
  std::vector<char> marks(held.size(), 0);
  bool any = false;
  for (Index node = 0; node < space.num_nodes; ++node) {
    if (std::binary_search(space.masked.begin(), space.masked.end(), node)) continue;
    for (int c = 0; c < space.components; ++c) {
      const std::size_t at = space.entry(node, c);
      if (held[at]) marks[at] = space.owns(node) ? 2 : 1;
      any = any || held[at];
    }
  }
  return any ? marks : std::vector<char>();
}

linalg::CsrMatrix<double> make_zero_matrix(const space::Space& space) {
  require(space.layout == Layout::aos || space.components == 1,
          "a space of layout " + name(space.layout) + ": accepted is layout aos");
  return make_for_cells(space);
}

}  // namespace miniapp::weakform
