// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/split.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/mesh/entities.hpp"

namespace miniapp::mesh {
namespace {

/// What meets at a vertex of a cell: edges 0, 1, 2 along r, s, t of its piece, and the faces between them.
struct Corner {
  int edges[3];
  int faces[3];  ///< face a does not have edge a
};

bool has(const Side& side, int vertex) {
  return std::find(side.vertices, side.vertices + side.size, vertex) < side.vertices + side.size;
}

/// Whether the edges from a vertex are right-handed in the reference cell.
bool is_right_handed(const Cell& kind, int vertex, const int (&edges)[3]) {
  double J[3][3];
  for (int a = 0; a < 3; ++a) {
    const Side& edge = kind.edges[edges[a]];
    const int other = edge.vertices[0] == vertex ? edge.vertices[1] : edge.vertices[0];
    for (int d = 0; d < 3; ++d) J[a][d] = kind.signs[d][other] - kind.signs[d][vertex];
  }
  return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) - J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
             J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]) >
         0;
}

Corner corner_at(const Cell& kind, int vertex) {
  Corner corner{};
  int edges = 0;
  for (int e = 0; e < kind.num_edges; ++e)
    if (has(kind.edges[e], vertex)) corner.edges[edges++] = e;
  if (!is_right_handed(kind, vertex, corner.edges)) std::swap(corner.edges[0], corner.edges[1]);
  for (int a = 0; a < 3; ++a)
    for (int face = 0; face < kind.num_faces; ++face) {
      const auto is_of_face = [&](int edge) {
        return has(kind.faces[face], kind.edges[edge].vertices[0]) &&
               has(kind.faces[face], kind.edges[edge].vertices[1]);
      };
      if (is_of_face(corner.edges[(a + 1) % 3]) && is_of_face(corner.edges[(a + 2) % 3])) corner.faces[a] = face;
    }
  return corner;
}

/// Adds the middles of edges or faces to the vertices. Returns (cell, slot): the vertex.
std::vector<Index> add_middles(const Mesh& mesh, const Side* sides, const Entities& entities,
                               std::vector<Point>& vertices) {
  const auto of_cell = to_host(entities.of_cell);
  const std::size_t first = vertices.size(), slots = static_cast<std::size_t>(entities.slots);
  require(first + entities.size() < std::numeric_limits<Index>::max(), "split_into_hexahedra",
          std::to_string(mesh.num_elements()), "cells make too many vertices; accepted are fewer");
  vertices.resize(first + entities.size());
  std::vector<Index> middles(of_cell.extent(0));
  for (std::size_t i = 0; i < middles.size(); ++i) {
    middles[i] = static_cast<Index>(first) + of_cell(i);
    const Side& side = sides[i % slots];
    Point middle{};
    for (int v = 0; v < side.size; ++v)
      for (int d = 0; d < 3; ++d)
        middle[d] += mesh.vertices[mesh.element_to_vertex[i / slots][side.vertices[v]]][d] / side.size;
    vertices[middles[i]] = middle;
  }
  return middles;
}

}  // namespace

Mesh split_into_hexahedra(const Mesh& mesh) {
  const Cell& kind = cell(mesh.kind);
  require(kind.dimension == 3, "split_into_hexahedra", kind.names,
          "are plane; accepted are tetrahedra, prisms, hexahedra");
  require_straight(mesh, "split_into_hexahedra");
  Mesh result;
  result.vertices = mesh.vertices;
  const std::vector<Index> edges = add_middles(mesh, kind.edges, find_edges(mesh), result.vertices),
                           faces = add_middles(mesh, kind.faces, find_faces(mesh), result.vertices);
  const auto pieces = static_cast<std::size_t>(pieces_of(mesh.kind));
  require(mesh.num_elements() * pieces * 2 < std::numeric_limits<Index>::max(), "split_into_hexahedra",
          std::to_string(mesh.num_elements()),
          std::string(kind.names) + " make too many hexahedra; accepted are fewer");
  std::vector<Corner> corners;
  for (int v = 0; v < kind.num_vertices; ++v) corners.push_back(corner_at(kind, v));
  result.element_to_vertex = Map(mesh.num_elements() * pieces, 8);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Index* const own = mesh.element_to_vertex[e];
    Point middle{};
    for (std::size_t v = 0; v < pieces; ++v)
      for (int d = 0; d < 3; ++d) middle[d] += mesh.vertices[own[v]][d] / double(pieces);
    result.vertices.push_back(middle);
    for (std::size_t v = 0; v < pieces; ++v) {
      const auto edge = [&](int a) { return edges[e * kind.num_edges + corners[v].edges[a]]; };
      const auto face = [&](int a) { return faces[e * kind.num_faces + corners[v].faces[a]]; };
      const std::array<Index, 8> piece{own[v],  edge(0), edge(1), face(2),
                                       edge(2), face(1), face(0), static_cast<Index>(result.vertices.size() - 1)};
      std::copy(piece.begin(), piece.end(), result.element_to_vertex[e * pieces + v]);
    }
  }
  for (const Group& group : mesh.groups) {
    Group& split = result.groups.emplace_back(Group{group.name, group.dimension, {}, {}});
    for (const Index e : group.cells)
      for (std::size_t v = 0; v < pieces; ++v) split.cells.push_back(static_cast<Index>(e * pieces + v));
    for (const CellSide& side : group.sides)
      for (std::size_t v = 0; v < pieces; ++v)
        for (int a = 0; a < 3; ++a)  // where r, s or t is -1
          if (corners[v].faces[a] == side.side && has(kind.faces[side.side], static_cast<int>(v)))
            split.sides.push_back({static_cast<Index>(side.cell * pieces + v), 2 * a});
    std::sort(split.sides.begin(), split.sides.end());
  }
  return result;
}

}  // namespace miniapp::mesh
