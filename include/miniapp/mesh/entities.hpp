// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The distinct edges or faces of a mesh and where its cells meet them, in the memory of the device.
struct Entities {
  int slots = 0;               ///< of a cell: Cell::num_edges or num_faces
  Vector<Index> of_cell;       ///< (cell, slot): entity number; numbers follow the order in which cells meet them
  Vector<Index> multiplicity;  ///< (entity): cells that share it
  std::size_t size() const { return multiplicity.extent(0); }
};

/// An entity is known by the set of its vertices, whatever the orientation of the cells. Runs where loops run: a list
/// of uses for each vertex, that with the lowest number in the entity, sorted within the list. O(cells) if few cells
/// meet at a vertex, O(cells log cells) at worst. Memory: about 28 bytes per cell and slot while it runs.
/// `cells`: mesh.element_to_vertex where loops run, for who has it already.
/// Errors: more than 2^31 - 1 edges or faces of cells (InputError).
Entities find_edges(const Mesh& mesh, const Vector<const Index>& cells = {});
Entities find_faces(const Mesh& mesh, const Vector<const Index>& cells = {});

}  // namespace miniapp::mesh
