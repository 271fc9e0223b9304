// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/space/space.hpp"
#include "space/entity_keys.hpp"

namespace miniapp::space {

/// The space of one component whose nodes have these keys, numbered in the order in which cells visit them. Nodes with
/// on_surface (key) are constrained; `on_surface` may be empty.
Space make_space_by_first_use(const mesh::Mesh& mesh, int order, const EntityKeys& keys,
                              const Vector<const char>& on_surface);

/// Marks the keys of nodes on faces that belong to only one cell: (key). `multiplicity` (face): its cells.
Vector<char> mark_surface(const EntityKeys& keys, const Vector<const Index>& multiplicity);

}  // namespace miniapp::space
