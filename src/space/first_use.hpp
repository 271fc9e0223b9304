// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "space/entity_keys.hpp"

namespace miniapp::space {

/// Numbers of nodes.
struct NodeNumbers {
  Index size;
  std::vector<Index> masked;  ///< ascending
};

/// Numbers nodes in the order in which cells meet them. `nodes` (cell, local node) receives the numbers, ~number where
/// on_surface (key); `on_surface` may be empty.
NodeNumbers number_by_first_use(const EntityKeys& keys, const Vector<Index>& nodes,
                                const Vector<const char>& on_surface);

/// Marks the keys of nodes on faces that belong to only one cell: (key). `multiplicity` (face): its cells.
Vector<char> mark_surface(const EntityKeys& keys, const Vector<const Index>& multiplicity);

}  // namespace miniapp::space
