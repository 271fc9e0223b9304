// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/facets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "miniapp/core/error.hpp"
#include "miniapp/mesh/entities.hpp"

namespace miniapp::mesh {
namespace {

[[noreturn]] void fail(const Mesh& mesh, Index first, Index second, const std::string& what) {
  const Index sides = cell(mesh.kind).num_sides(), a = first / sides, b = second / sides;
  const auto vertices = [&](Index element) {
    const Index* const v = mesh.element_to_vertex[element];
    return std::set<Index>(v, v + num_vertices(mesh.kind));
  };
  throw InputError(
      fmt::format("cells {} and {} of the mesh {}", a + 1, b + 1,
                  vertices(a) == vertices(b) ? "have the same vertices; accepted is each cell once" : what));
}

void check(const Mesh& mesh, const Facet& facet) {
  const Corners first = corners_of(mesh, facet.first), second = corners_of(mesh, facet.second);
  if (first.follows(second, 1))
    fail(mesh, facet.first, facet.second,
         "lie on the same side of their interface; accepted are cells that do not overlap");
  if (!first.follows(second, -1))
    fail(mesh, facet.first, facet.second,
         "have the vertices of a side in common, but not its edges; accepted are cells that share whole sides");
}

}  // namespace

bool Corners::follows(const Corners& other, int step) const {
  if (size == 2) return (vertices[0] == other.vertices[0]) == (step == 1);
  const auto at = std::find(other.vertices, other.vertices + size, vertices[0]) - other.vertices;
  for (int c = 0; c < size; ++c)
    if (vertices[c] != other.vertices[(at + step * c + size) % size]) return false;
  return true;
}

Corners corners_of(const Mesh& mesh, Index position) {
  const Cell& kind = cell(mesh.kind);
  const Side& side = kind.side(position % kind.num_sides());
  const Index* const vertices = mesh.element_to_vertex[position / kind.num_sides()];
  Corners corners{side.size, {}};
  for (int c = 0; c < side.size; ++c) corners.vertices[c] = vertices[side.vertices[c]];
  return corners;
}

std::vector<Facet> find_facets(const Mesh& mesh) {
  const Entities entities = dimension(mesh.kind) == 2 ? find_edges(mesh) : find_faces(mesh);
  const auto number = to_host(entities.of_cell);
  std::vector<Facet> facets(entities.size());
  for (Index position = 0; position < static_cast<Index>(number.extent(0)); ++position) {
    Facet& facet = facets[number(position)];
    if (facet.second >= 0)
      fail(mesh, facet.first, position, "share a side with a third cell; accepted are sides of two cells or one");
    if (facet.first < 0) {
      facet.first = position;
    } else {
      facet.second = position;
      check(mesh, facet);
    }
  }
  return facets;
}

}  // namespace miniapp::mesh
