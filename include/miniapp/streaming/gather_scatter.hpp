// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/map.hpp"

namespace miniapp::streaming {

/// Z on the device: (position) global node of each local one, ~node where masked.
using NodeMap = Vector<const mesh::Index>;

/// Z^T on the device by rows: node g sums the local values at positions[offsets[g] .. offsets[g+1]).
struct NodeRows {
  Vector<const std::int64_t> offsets;
  Vector<const std::int64_t> positions;
};

/// The map itself where kernels run on the host (it must outlive the result), else a copy on the device.
NodeMap make_node_map(const mesh::Map& element_to_node);
/// Bytes that make_node_map() allocates.
std::size_t node_map_bytes(const mesh::Map& element_to_node);
NodeRows make_node_rows(const mesh::Map& element_to_node, std::size_t num_nodes);

/// BS7, x_L = Z x: local[q] = global[map[q]], zero where masked. Bytes moved: 8 + 4 a local value, 8 a global one.
template <class Real>
void scatter(const NodeMap& map, const Vector<const Real>& global, const Vector<Real>& local);

/// BS6, x = Z^T x_L: global[g] = sum of the row's local values in rising order, zero where no row names g.
template <class Real>
void gather(const NodeRows& rows, const Vector<const Real>& local, const Vector<Real>& global);

}  // namespace miniapp::streaming
