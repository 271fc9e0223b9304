// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/mesh.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"

namespace miniapp::mesh {

void require_vertices(const Mesh& mesh) {
  const auto arity = static_cast<std::size_t>(num_vertices(mesh.kind));
  const std::vector<Index>& entries = mesh.element_to_vertex.entries;
  require(static_cast<std::size_t>(mesh.element_to_vertex.arity) == arity && entries.size() % arity == 0,
          "element_to_vertex", std::to_string(mesh.element_to_vertex.arity),
          "vertices per cell; accepted are " + std::to_string(arity) + " for the kind " + name(mesh.kind));
  const auto size = static_cast<Index>(mesh.vertices.size());
  for_host(entries.size(), [&](std::size_t q) {
    if (entries[q] >= 0 && entries[q] < size) return;
    throw InputError("element_to_vertex", std::to_string(entries[q]),
                     "is no vertex, in cell " + std::to_string(q / arity) + " of " +
                         std::to_string(mesh.num_elements()) + " (from 0); accepted are 0 to " +
                         std::to_string(size - 1));
  });
}

void require_straight(const Mesh& mesh, const std::string& what) {
  require(mesh.curved.empty(), what + ": a mesh of curved elements, of order " + std::to_string(mesh.curved.order) +
                                   "; accepted are elements with straight edges");
}

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
