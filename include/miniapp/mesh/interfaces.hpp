// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The interfaces between the cells of a mesh: edges in two dimensions, faces in three. `corners` is 2, 3 or 4.
///
/// The order of the vertices gives the normal, whose length is the length or area of the interface. It points from cell
/// 0 to cell 1, outwards at the boundary:
///   edge (p, q)         n = (q_y - p_y, p_x - q_x) [m]
///   face (p, q, r, s)   n = (r - p) x (s - q) / 2 [m^2], vertices one after the other around the face
///   face (p, q, r)      n = (q - p) x (r - p) / 2 [m^2]; where cells have faces of four vertices too, it is (p, q, r,
///   r)
struct Interfaces {
  Map to_cell;             ///< (interface, 2): its cells; cell 0 is the one with the lower number
  Map to_vertex;           ///< (interface, corners)
  Map boundary_to_cell;    ///< (boundary side, 1): its cell
  Map boundary_to_vertex;  ///< (boundary side, corners)
};

/// Finds the interfaces and the boundary sides of a mesh, each numbered in the order of the cells. The cells must have
/// a positive area or volume. Errors, InputError that counts cells from 1: a side that more than two cells share, or
/// that two cells see from the same side (one of them is turned inside out or they overlap), or whose vertices two
/// cells go around in another order; more than 2^31 - 1 sides of cells. O(cells) if few cells meet at a vertex.
Interfaces find_interfaces(const Mesh& mesh);

}  // namespace miniapp::mesh
