// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The vertices of the side of a cell in the order of the cell.
struct Corners {
  int size;
  Index vertices[4];

  /// Whether another cell has the same vertices in the same cyclic order (`step` 1) or in the opposite one (`step` -1).
  /// For an edge: starting from the same vertex, or from the other one.
  bool follows(const Corners& other, int step) const;
};

/// `position`: cell * sides + side.
Corners corners_of(const Mesh& mesh, Index position);

/// For the side of each cell, by its position, the position of the same side of the neighbour; -1 on the surface.
/// Errors: those of require_conforming() that are about cells; InputError where there are more than 2^31 - 1 sides.
std::vector<Index> opposite_sides(const Mesh& mesh);

}  // namespace miniapp::mesh
