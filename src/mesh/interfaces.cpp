// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/interfaces.hpp"

#include <algorithm>
#include <vector>

#include "mesh/facets.hpp"

namespace miniapp::mesh {
Interfaces find_interfaces(const Mesh& mesh) {
  const Cell& kind = cell(mesh.kind);
  const int sides = kind.num_sides();
  const std::vector<Facet> facets = find_facets(mesh);
  const auto inner = static_cast<std::size_t>(
      std::count_if(facets.begin(), facets.end(), [](const Facet& facet) { return facet.second >= 0; }));
  int corners = 0;
  for (int s = 0; s < sides; ++s) corners = std::max(corners, kind.side(s).size);
  const std::size_t outer = facets.size() - inner;
  Interfaces found{Map(inner, 2), Map(inner, corners), Map(outer, 1), Map(outer, corners)};
  std::size_t i = 0, b = 0;
  for (const Facet& facet : facets) {
    const Corners side = corners_of(mesh, facet.first);
    const bool between = facet.second >= 0;
    Index* const vertices = between ? found.to_vertex[i] : found.boundary_to_vertex[b];
    for (int c = 0; c < corners; ++c) vertices[c] = side.vertices[std::min(c, side.size - 1)];
    if (between) {
      found.to_cell[i][0] = facet.first / sides;
      found.to_cell[i++][1] = facet.second / sides;
    } else {
      found.boundary_to_cell[b++][0] = facet.first / sides;
    }
  }
  return found;
}

}  // namespace miniapp::mesh
