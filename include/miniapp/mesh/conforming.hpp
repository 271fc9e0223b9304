// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// Checks that the cells of a mesh fit together, as all discretisations suppose: two cells share whole sides or do not
/// touch there. The cells must have a positive area or volume.
///
/// Errors, InputError that counts cells and vertices from 1: a cell that is listed twice; a side that three cells
/// share; two cells on the same side of their common side (one of them is turned over, or they overlap); two cells that
/// go around the vertices of a side in another order; a vertex of the surface that lies inside a side or an edge of the
/// surface, within 1e-6 of its diameter (a hanging node). Slits whose two sides have vertices of their own at the same
/// places are right. Bodies that overlap without sharing a vertex are not searched for.
///
/// O(cells) if few cells meet at a vertex, and O(n log n) for n vertices of the surface.
void require_conforming(const Mesh& mesh);

}  // namespace miniapp::mesh
