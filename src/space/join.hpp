// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/entities.hpp"
#include "miniapp/space/space.hpp"

/// Spaces on meshes that are distributed over ranks. Ranks know vertices of each other by their numbers in the whole
/// mesh; who else has a vertex is found through the rank at which its number is at home, number mod ranks.
namespace miniapp::space {

/// Adds to multiplicity (face) the cells of other ranks that have the face: a face between parts is no surface.
/// Collective. O(surface of the part).
void count_cells_of_others(const mesh::Mesh& mesh, const mesh::Entities& faces);

/// Makes the space's exchange, and masks nodes that other ranks mask: of a surface of which this rank may have an edge
/// alone. A node is known to ranks by the vertices of the vertex, edge or face on which it lies, and by its place among
/// them. Collective. O(vertices + nodes between parts).
void join(Space& space, const mesh::Mesh& mesh);

}  // namespace miniapp::space
