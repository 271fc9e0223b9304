// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "miniapp/linalg/block_matrix.hpp"
#include "miniapp/weakform/assembled_jacobian.hpp"

namespace miniapp::weakform {

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
  const Index components = space.components;
  require(space.layout == Layout::aos || components == 1,
          "a space of layout " + name(space.layout) + ": accepted is layout aos");
  const Csr<> blocks = linalg::make_block_pattern(space.element_to_node.host(), std::size_t(space.num_nodes));
  Csr<> rows;
  rows.entries.reserve(blocks.entries.size() * components * components);
  for (Index node = 0; node < space.num_nodes; ++node)
    for (Index c = 0; c < components; ++c) {
      // nodes are found by cells, so that empty rows are those of constrained nodes
      if (blocks.degree(node) == 0)
        for (Index k = 0; k < components; ++k) rows.entries.push_back(node * components + k);
      for (const Index other : blocks[node])
        for (Index k = 0; k < components; ++k) rows.entries.push_back(other * components + k);
      rows.end_row();
    }
  const std::vector<double> zeros(rows.entries.size());
  return linalg::make_csr_matrix(rows, space.num_nodes * components, zeros);
}

}  // namespace miniapp::weakform
