// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

/// Meshes with fields in VTK's XML format of unstructured grids (VTK User's Guide, "VTK File Formats"), as ParaView,
/// VTK and meshio write them.
namespace miniapp::mesh {

/// An array of numbers of a file.
struct VtuArray {
  std::string name;
  int components = 1;
  std::vector<double> values;  ///< (point or cell, component)
};

/// What a file holds.
struct Vtu {
  Mesh mesh;                         ///< without groups
  Map listed;                        ///< (element, corner): its vertices in the order of the file
  std::vector<VtuArray> point_data;  ///< values at the vertices of `mesh`
  std::vector<VtuArray> cell_data;   ///< values of the elements of `mesh`
};

/// Reads one piece of an unstructured grid: text, base64 or raw data, in place or appended, as they are or, where the
/// build has zlib, compressed by it. Keeps the cells of the highest dimension, which must all be of one kind, in the
/// order of the file, and the vertices that they use, as read_gmsh() does, with their data; arrays of texts are left
/// out. Clockwise or left-handed cells are reoriented, keeping their first vertex.
/// Errors, InputError `PATH: reason` with the line where it is known: a file that cannot be read, is no such grid, ends
/// early or is damaged; several pieces; bytes in another order than this machine's; other compressors; cells that are
/// not straight triangles, quadrilaterals, tetrahedra, hexahedra or prisms, of two kinds, or without area or volume;
/// arrays of another length than points or cells; coordinates that are not finite; and those of require_conforming().
Vtu read_vtu(const std::string& path);

/// Reads a file's contents; errors name `source`.
Vtu parse_vtu(const std::string& text, const std::string& source);

}  // namespace miniapp::mesh
