// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/interfaces.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/mesh/entities.hpp"

namespace miniapp::mesh {
namespace {

/// The vertices of a side in the order of its cell.
struct Corners {
  int size;
  Index vertices[4];

  /// Whether another cell has the same vertices in the same cyclic order (`step` 1) or in the opposite one (`step` -1).
  /// For an edge: starting from the same vertex, or from the other one.
  bool follows(const Corners& other, int step) const {
    if (size == 2) return (vertices[0] == other.vertices[0]) == (step == 1);
    const auto at = std::find(other.vertices, other.vertices + size, vertices[0]) - other.vertices;
    for (int c = 0; c < size; ++c)
      if (vertices[c] != other.vertices[(at + step * c + size) % size]) return false;
    return true;
  }
};

Corners corners_of(const Mesh& mesh, Index position) {
  const Cell& kind = cell(mesh.kind);
  const Side& side = kind.side(position % kind.num_sides());
  const Index* const vertices = mesh.element_to_vertex[position / kind.num_sides()];
  Corners corners{side.size, {}};
  for (int c = 0; c < side.size; ++c) corners.vertices[c] = vertices[side.vertices[c]];
  return corners;
}

[[noreturn]] void fail(const Mesh& mesh, Index first, Index second, const std::string& what) {
  const int sides = cell(mesh.kind).num_sides();
  throw InputError("cells " + std::to_string(first / sides + 1) + " and " + std::to_string(second / sides + 1) +
                   " of the mesh " + what);
}

/// The cells on both sides of an entity, by positions cell * sides + side.
struct Pair {
  Index first = -1, second = -1;
};

void check(const Mesh& mesh, const Pair& pair) {
  const Corners first = corners_of(mesh, pair.first), second = corners_of(mesh, pair.second);
  if (first.follows(second, 1))
    fail(mesh, pair.first, pair.second,
         "lie on the same side of their interface; accepted are cells that do not overlap");
  if (!first.follows(second, -1))
    fail(mesh, pair.first, pair.second,
         "have the vertices of a side in common, but not its edges; accepted are cells that share whole sides");
}

}  // namespace

Interfaces find_interfaces(const Mesh& mesh) {
  const Cell& kind = cell(mesh.kind);
  const int sides = kind.num_sides();
  const Entities entities = kind.dimension == 2 ? find_edges(mesh) : find_faces(mesh);
  const auto number = to_host(entities.of_cell);
  std::vector<Pair> pairs(entities.size());
  std::size_t inner = 0;
  for (Index position = 0; position < static_cast<Index>(number.extent(0)); ++position) {
    Pair& pair = pairs[number(position)];
    if (pair.second >= 0)
      fail(mesh, pair.first, position, "share a side with a third cell; accepted are sides of two cells or one");
    if (pair.first < 0) {
      pair.first = position;
    } else {
      pair.second = position;
      check(mesh, pair);
      ++inner;
    }
  }

  int corners = 0;
  for (int s = 0; s < sides; ++s) corners = std::max(corners, kind.side(s).size);
  const std::size_t outer = pairs.size() - inner;
  Interfaces found{Map(inner, 2), Map(inner, corners), Map(outer, 1), Map(outer, corners)};
  std::size_t i = 0, b = 0;
  for (const Pair& pair : pairs) {
    const Corners side = corners_of(mesh, pair.first);
    const bool between = pair.second >= 0;
    Index* const vertices = between ? found.to_vertex[i] : found.boundary_to_vertex[b];
    for (int c = 0; c < corners; ++c) vertices[c] = side.vertices[std::min(c, side.size - 1)];
    if (between) {
      found.to_cell[i][0] = pair.first / sides;
      found.to_cell[i++][1] = pair.second / sides;
    } else {
      found.boundary_to_cell[b++][0] = pair.first / sides;
    }
  }
  return found;
}

}  // namespace miniapp::mesh
