// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// A mesh whose elements are put in another order: element i of the result is element order[i]. Nodes follow, since
/// they are numbered in the order of the elements. graph::make_ordering computes such orders from element_to_vertex.
Mesh reorder(const Mesh& mesh, const std::vector<Index>& order);

/// Reorders by an order on the device, where `element_to_vertex` (element, corner) are the mesh's: it reads them at
/// random there instead of on one thread of the host.
Mesh reorder(const Mesh& mesh, const Vector<const Index>& element_to_vertex, const Vector<const Index>& order);

}  // namespace miniapp::mesh
