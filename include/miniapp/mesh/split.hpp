// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/mesh.hpp"

/// Hexahedra from other solids.
namespace miniapp::mesh {

/// The hexahedra that a cell of this kind is cut into: as many as it has vertices.
constexpr int pieces_of(CellKind kind) { return num_vertices(kind); }

/// The hexahedra that tetrahedra, prisms or hexahedra are cut into, one at each vertex of a cell: its corners are the
/// vertex, the middles of the three edges that end there, the centres of the three faces between these, and the centre
/// of the cell. The cut of a face or an edge is that of all cells that share it, so that the mesh is conforming. The
/// pieces of cell e are pieces_of(kind) e + v, v its local vertex; a group has the pieces of its cells or sides.
/// Vertices: the old ones, then edges, faces, cells. O(cells). Errors: InputError for plane and for curved cells, and
/// where there are too many.
Mesh split_into_hexahedra(const Mesh& mesh);

}  // namespace miniapp::mesh
