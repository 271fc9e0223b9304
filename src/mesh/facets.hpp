// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The one or two cells that have a side, by positions cell * sides + side; `second` is -1 on the surface.
struct Facet {
  Index first = -1, second = -1;
};

/// The vertices of the side of a cell in the order of the cell.
struct Corners {
  int size;
  Index vertices[4];

  /// Whether another cell has the same vertices in the same cyclic order (`step` 1) or in the opposite one (`step` -1).
  /// For an edge: starting from the same vertex, or from the other one.
  bool follows(const Corners& other, int step) const;
};

Corners corners_of(const Mesh& mesh, Index position);

/// The sides of all cells, each once, in the order of the cells. Errors: those of require_conforming() that are about
/// cells.
std::vector<Facet> find_facets(const Mesh& mesh);

}  // namespace miniapp::mesh
