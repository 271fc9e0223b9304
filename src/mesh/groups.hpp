// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

/// Groups of a mesh whose cells or vertices change their numbers or their local order.
namespace miniapp::mesh {

/// The sides of cells that have the vertices of `wanted`, pairs (side, place in `wanted`) by ascending place. O(cells
/// log wanted).
std::vector<std::pair<CellSide, std::size_t>> match_sides(const Mesh& mesh, const std::vector<SideVertices>& wanted);

/// The groups of a mesh whose cell e becomes cell place[e], with the same local vertices.
std::vector<Group> renumber_cells(const std::vector<Group>& groups, const std::vector<Index>& place);

/// The nodes of curved cells likewise.
Curved renumber_cells(const Curved& curved, const std::vector<Index>& place);

/// The vertices of the sides of all groups, one group after the other, before the local vertices of cells change; and
/// the sides by these vertices afterwards.
std::vector<SideVertices> remember_sides(const Mesh& mesh);
void find_sides_again(Mesh& mesh, const std::vector<SideVertices>& remembered);

}  // namespace miniapp::mesh
