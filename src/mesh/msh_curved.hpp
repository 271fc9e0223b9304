// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "mesh/msh_sections.hpp"

/// Curved hexahedra of Gmsh.
namespace miniapp::mesh {

/// The places (i, j, k), 0 .. order, of the nodes of Gmsh's hexahedron: corners, nodes of edges, of sides, and within,
/// where they form a hexahedron of order - 2; those of sides form quadrilaterals likewise.
std::vector<std::array<int, 3>> gmsh_nodes(int order);

/// The nodes of a file's cells, all with `others`, in the order of Curved. Hexahedra of 20 nodes get those of sides and
/// centre by their own shape functions.
Curved curved_nodes(const MshCellList& cells, const std::vector<Point>& points);

}  // namespace miniapp::mesh
