// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/mesh.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace miniapp::mesh {

Trilinear trilinear(const Mesh& mesh, std::size_t element) {
  Trilinear coefficients{};
  for (unsigned q = 0; q < 8; ++q) {
    for (unsigned v = 0; v < 8; ++v) {
      const double sign = std::popcount(q & ~v) % 2 ? -1 : 1;  // (-1)^(directions of q in which v is at -1)
      for (int d = 0; d < 3; ++d) coefficients[q][d] += sign * mesh.vertices[mesh.element_to_vertex[element][v]][d] / 8;
    }
  }
  return coefficients;
}

const Group* Mesh::find_group(const std::string& name) const {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.name == name; });
  return found == groups.end() ? nullptr : &*found;
}

SideVertices side_vertices(const Mesh& mesh, const CellSide& side) {
  const Side& local = cell(mesh.kind).side(side.side);
  SideVertices vertices{-1, -1, -1, -1};
  for (int i = 0; i < local.size; ++i) vertices[i] = mesh.element_to_vertex[side.cell][local.vertices[i]];
  return sorted(vertices);
}

SideVertices sorted(SideVertices vertices) {
  // as unsigned numbers, so that unused places come last
  std::sort(vertices.begin(), vertices.end(), [](Index a, Index b) { return std::uint32_t(a) < std::uint32_t(b); });
  return vertices;
}

}  // namespace miniapp::mesh
