// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The same mesh with its elements in another order: element i of the result is element order[i]. Nodes follow, since
/// they are numbered in the order of the elements. graph::make_ordering computes such orders from element_to_vertex.
Mesh reorder(const Mesh& mesh, const std::vector<Index>& order);

}  // namespace miniapp::mesh
