// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/mesh/mesh.hpp"

/// Mesh files of Gmsh (Geuzaine, Remacle, IJNME 2009; the formats are in the appendix "File formats" of its manual).
namespace miniapp::mesh {

/// Reads a mesh in Gmsh's format 2.2 or 4.1, ASCII or binary. Keeps the cells of the highest dimension, which must all
/// be of one kind, in the order of the file, and the vertices that they use. Clockwise or left-handed cells are
/// reoriented, keeping their first vertex. A cell that is listed several times, once for each of its groups, is one
/// cell. Physical groups of such cells and of their sides become groups of the mesh; one without a name is called by
/// its number. Groups of vertices, and of edges of solids, are left out. Hexahedra of orders 2 to 4 become curved ones.
/// Errors, InputError `PATH: reason` with the line where it is known: a file that cannot be read, is of another format
/// or ends early, words that are not numbers, elements of other types, duplicate vertex numbers, vertices that do not
/// exist, cells of two kinds, no cells, a cell without area or volume, plane cells that are not in a plane z = const, a
/// member of a group that is a side of no cell, a second mesh; and those of require_conforming().
Mesh read_gmsh(const std::string& path);

/// Reads a file's contents; errors name `source`.
Mesh parse_gmsh(std::string text, const std::string& source);

/// Writes a mesh with its groups in Gmsh's ASCII format 2.2; coordinates are read back without change.
/// Errors, InputError: a file that cannot be written, or holds something else; a cell in two groups, which the format
/// cannot hold.
void write_gmsh(const Mesh& mesh, const std::string& path);

}  // namespace miniapp::mesh
