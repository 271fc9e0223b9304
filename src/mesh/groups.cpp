// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/groups.hpp"

#include <algorithm>

namespace miniapp::mesh {

std::vector<std::pair<CellSide, std::size_t>> match_sides(const Mesh& mesh, const std::vector<SideVertices>& wanted) {
  std::vector<std::pair<SideVertices, std::size_t>> sorted;
  for (std::size_t i = 0; i < wanted.size(); ++i) sorted.emplace_back(wanted[i], i);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<CellSide, std::size_t>> found;
  const auto cells = static_cast<Index>(sorted.empty() ? 0 : mesh.num_elements());
  for (Index e = 0; e < cells; ++e)
    for (int s = 0; s < cell(mesh.kind).num_sides(); ++s) {
      const SideVertices vertices = side_vertices(mesh, {e, s});
      for (auto at = std::lower_bound(sorted.begin(), sorted.end(), std::pair(vertices, std::size_t(0)));
           at != sorted.end() && at->first == vertices; ++at)
        found.emplace_back(CellSide{e, s}, at->second);
    }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return found;
}

std::vector<Group> renumber_cells(const std::vector<Group>& groups, const std::vector<Index>& place) {
  std::vector<Group> renumbered = groups;
  for (Group& group : renumbered) {
    for (Index& e : group.cells) e = place[e];
    for (CellSide& side : group.sides) side.cell = place[side.cell];
    std::sort(group.cells.begin(), group.cells.end());
    std::sort(group.sides.begin(), group.sides.end());
  }
  return renumbered;
}

Curved renumber_cells(const Curved& curved, const std::vector<Index>& place) {
  Curved renumbered{curved.order, std::vector<Point>(curved.nodes.size())};
  const auto nodes = static_cast<std::ptrdiff_t>(curved.per_element());
  for (std::size_t e = 0; e < place.size() && !curved.empty(); ++e)
    std::copy_n(curved.nodes.begin() + static_cast<std::ptrdiff_t>(e) * nodes, nodes,
                renumbered.nodes.begin() + place[e] * nodes);
  return renumbered;
}

std::vector<SideVertices> remember_sides(const Mesh& mesh) {
  std::vector<SideVertices> remembered;
  for (const Group& group : mesh.groups)
    for (const CellSide& side : group.sides) remembered.push_back(side_vertices(mesh, side));
  return remembered;
}

void find_sides_again(Mesh& mesh, const std::vector<SideVertices>& remembered) {
  auto vertices = remembered.begin();
  for (Group& group : mesh.groups) {
    for (CellSide& side : group.sides) {
      side.side = 0;
      while (side_vertices(mesh, side) != *vertices) ++side.side;
      ++vertices;
    }
    std::sort(group.sides.begin(), group.sides.end());
  }
}

}  // namespace miniapp::mesh
