// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The distinct edges or faces of a mesh and their numbers in its cells, in device memory.
struct Entities {
  int slots = 0;               ///< entities of a cell: Cell::num_edges or num_faces
  Vector<Index> of_cell;       ///< (cell, slot): entity number, in the order of first use by cells
  Vector<Index> multiplicity;  ///< (entity): cells that share it
  std::size_t size() const { return multiplicity.extent(0); }
};

/// The cells of one kind of a mesh, which may have cells of other kinds over the same vertices.
struct Cells {
  CellKind kind;
  Vector<const Index> vertices;  ///< (cell, local vertex), in device memory
};

/// An entity is identified by the set of its vertices, independent of the kinds and of the orientation of the cells.
/// Runs on the device: each use of an entity goes into the list of its lowest vertex, and the lists are sorted.
/// O(cells) if few cells meet at a vertex, O(cells log cells) at worst. Memory: about 28 bytes per cell and slot while
/// it runs. Entry i is about cells[i]; numbers are common to all kinds, in the order of use by cells[0], then by
/// cells[1], and multiplicities count cells of any kind. Errors: more than 2^31 - 1 edges or faces of cells
/// (InputError).
std::vector<Entities> find_edges(std::size_t num_vertices, const std::vector<Cells>& cells);
std::vector<Entities> find_faces(std::size_t num_vertices, const std::vector<Cells>& cells);

/// The entities of a mesh of one kind. `cells`: mesh.element_to_vertex on the device, for callers that already have it.
Entities find_edges(const Mesh& mesh, const Vector<const Index>& cells = {});
Entities find_faces(const Mesh& mesh, const Vector<const Index>& cells = {});

/// (cell, slot): the position cell * slots + slot where another cell has the same entity, -1 where none has. Of
/// entities of more than two cells the first and the last cell, which are each other's. Runs on the device.
Vector<Index> find_neighbours(const Entities& entities);

}  // namespace miniapp::mesh
