// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/cell.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <vector>

#include "miniapp/mesh/mesh.hpp"
#include "support/catch.hpp"

using mesh::Cell;
using mesh::CellKind;
using mesh::Side;

namespace {

CellKind any_kind() { return mesh::cell_kinds[GENERATE(range(0, int(std::size(mesh::cell_kinds))))]; }

/// Vertices of a cell as the comments of CellKind place them.
std::vector<mesh::Point> vertices_of(CellKind kind) {
  switch (kind) {
    case CellKind::triangle:
      return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    case CellKind::quadrilateral:
      return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    case CellKind::tetrahedron:
      return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    case CellKind::hexahedron:
      return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    case CellKind::prism:
      return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  }
  return {};
}

mesh::Point mean(const std::vector<mesh::Point>& points) {
  mesh::Point sum{};
  for (const mesh::Point& x : points)
    for (int d = 0; d < 3; ++d) sum[d] += x[d] / double(points.size());
  return sum;
}

mesh::Point cross(const mesh::Point& a, const mesh::Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
mesh::Point minus(const mesh::Point& a, const mesh::Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const mesh::Point& a, const mesh::Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The vertices of a side from the one of the lowest number on, in the order in which the side has them.
std::vector<int> from_lowest(const Side& side, const int* renamed = nullptr) {
  std::vector<int> vertices(side.vertices, side.vertices + side.size);
  if (renamed)
    for (int& v : vertices) v = renamed[v];
  std::rotate(vertices.begin(), std::min_element(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

}  // namespace

TEST_CASE("Vertices, edges and faces of a cell obey Euler's formula", "[mesh][cell]") {
  const CellKind kind = any_kind();
  const Cell& cell = mesh::cell(kind);

  CHECK(int(vertices_of(kind).size()) == cell.num_vertices);
  if (cell.dimension == 3)
    CHECK(cell.num_vertices - cell.num_edges + cell.num_faces == 2);
  else
    CHECK(cell.num_vertices == cell.num_edges);
}

TEST_CASE("Sides point outwards and close the cell", "[mesh][cell]") {
  const CellKind kind = any_kind();
  const Cell& cell = mesh::cell(kind);
  const std::vector<mesh::Point> x = vertices_of(kind);
  const mesh::Point centre = mean(x);
  std::multiset<std::pair<int, int>> walked;

  for (int s = 0; s < cell.num_sides(); ++s) {
    const Side& side = cell.side(s);
    std::vector<mesh::Point> corners;
    for (int c = 0; c < side.size; ++c) {
      corners.push_back(x[side.vertices[c]]);
      walked.insert({side.vertices[c], side.vertices[(c + 1) % side.size]});
    }
    const mesh::Point n = cell.dimension == 2 ? cross(minus(corners[1], corners[0]), {0, 0, 1})
                                              : cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    CHECK(dot(n, minus(mean(corners), centre)) > 0);
    for (const mesh::Point& corner : corners) CHECK(std::abs(dot(n, minus(corner, corners[0]))) < 1e-12);
  }

  if (cell.dimension == 2) return;
  std::set<std::pair<int, int>> edges;
  for (int e = 0; e < cell.num_edges; ++e) {
    const auto [a, b] = std::pair(cell.edges[e].vertices[0], cell.edges[e].vertices[1]);
    edges.insert({a, b});
    CHECK((walked.count({a, b}) == 1 && walked.count({b, a}) == 1));
  }
  CHECK(walked.size() == 2 * edges.size());
}

TEST_CASE("Turns map a cell onto itself, and generate all rotations", "[mesh][cell]") {
  const CellKind kind = any_kind();
  const Cell& cell = mesh::cell(kind);
  std::set<std::vector<int>> sides;
  for (int s = 0; s < cell.num_sides(); ++s) sides.insert(from_lowest(cell.side(s)));

  std::vector<int> identity(cell.num_vertices);
  std::iota(identity.begin(), identity.end(), 0);
  std::set<std::vector<int>> reached{identity}, last = reached;
  while (!last.empty()) {
    std::set<std::vector<int>> next;
    for (const std::vector<int>& old : last)
      for (const auto& turn : cell.turns) {
        std::vector<int> turned(cell.num_vertices);
        for (int v = 0; v < cell.num_vertices; ++v) turned[v] = old[turn[v]];
        if (reached.insert(turned).second) next.insert(turned);
      }
    last = next;
  }

  for (const std::vector<int>& turned : reached) {
    std::set<std::vector<int>> moved;
    for (int s = 0; s < cell.num_sides(); ++s) moved.insert(from_lowest(cell.side(s), turned.data()));
    if (cell.dimension == 3) CHECK(moved == sides);
  }
  const std::size_t rotations[] = {3, 4, 12, 24, 6};
  CHECK(reached.size() == rotations[static_cast<int>(kind)]);
}

TEST_CASE("Mean tangents of a solid cell are right-handed, and do not move with it", "[mesh][cell]") {
  const CellKind kind = any_kind();
  const Cell& cell = mesh::cell(kind);
  if (cell.dimension == 2) return;
  const std::vector<mesh::Point> x = vertices_of(kind);
  mesh::Point tangent[3] = {};
  for (int k = 0; k < 3; ++k) {
    CHECK(std::accumulate(cell.signs[k], cell.signs[k] + 8, 0.0) == 0);
    for (int v = 0; v < cell.num_vertices; ++v)
      for (int d = 0; d < 3; ++d) tangent[k][d] += cell.signs[k][v] * x[v][d];
  }

  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 3; ++d) CHECK((tangent[k][d] > 0) == (k == d));
}

TEST_CASE("Gmsh's vertices are ours in another order, counter-clockwise below and above", "[mesh][cell]") {
  const CellKind kind = any_kind();
  const Cell& cell = mesh::cell(kind);
  std::vector<int> ours(cell.gmsh_vertices, cell.gmsh_vertices + cell.num_vertices);

  if (kind == CellKind::hexahedron)
    for (const int first : {0, 4}) {
      const std::vector<mesh::Point> x = vertices_of(kind);
      const mesh::Point a = x[ours[first]], b = x[ours[first + 1]], c = x[ours[first + 2]];
      CHECK(cross(minus(b, a), minus(c, b)) == mesh::Point{0, 0, 1});
    }
  std::sort(ours.begin(), ours.end());
  for (int v = 0; v < cell.num_vertices; ++v) CHECK(ours[v] == v);
}

TEST_CASE("Edges and faces of a hexahedron lie where their comments say", "[mesh][cell]") {
  const Cell& cell = mesh::cell(CellKind::hexahedron);
  for (int face = 0; face < 6; ++face)
    for (const int v : cell.faces[face].vertices) CHECK((v >> face / 2 & 1) == face % 2);
  for (int edge = 0; edge < 12; ++edge) {
    const int axis = edge / 4, low = cell.edges[edge].vertices[0], high = cell.edges[edge].vertices[1];
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    CHECK(low == ((edge & 1) << first | (edge >> 1 & 1) << second));
    CHECK(high == (low | 1 << axis));
  }
}
