// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/interfaces.hpp"

#include <algorithm>
#include <vector>

#include "mesh/facets.hpp"

namespace miniapp::mesh {
Interfaces find_interfaces(const Mesh& mesh) {
  const Cell& kind = cell(mesh.kind);
  const int sides = kind.num_sides();
  const std::vector<Index> opposite = opposite_sides(mesh);
  const auto outer = static_cast<std::size_t>(std::count(opposite.begin(), opposite.end(), -1));
  const std::size_t inner = (opposite.size() - outer) / 2;
  int corners = 0;
  for (int s = 0; s < sides; ++s) corners = std::max(corners, kind.side(s).size);
  Interfaces found{Map(inner, 2), Map(inner, corners), Map(outer, 1), Map(outer, corners)};
  std::size_t i = 0, b = 0;
  for (Index position = 0; position < static_cast<Index>(opposite.size()); ++position) {
    const Index other = opposite[position];
    const bool between = other >= 0;
    if (between && other < position) continue;  // met already, from the other cell
    const Corners side = corners_of(mesh, position);
    Index* const vertices = between ? found.to_vertex[i] : found.boundary_to_vertex[b];
    for (int c = 0; c < corners; ++c) vertices[c] = side.vertices[std::min(c, side.size - 1)];
    if (between) {
      found.to_cell[i][0] = position / sides;
      found.to_cell[i++][1] = other / sides;
    } else {
      found.boundary_to_cell[b++][0] = position / sides;
    }
  }
  return found;
}

}  // namespace miniapp::mesh
