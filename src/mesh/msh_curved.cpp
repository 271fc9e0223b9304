// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/msh_curved.hpp"

#include <cstddef>

namespace miniapp::mesh {
namespace {

using Place = std::array<int, 3>;

/// Corners, edges and sides of Gmsh's hexahedron, by its corners.
constexpr Place corners_of_cube[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
constexpr int edges_of_cube[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                      {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
constexpr int sides_of_cube[6][4] = {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3},
                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}};

/// The nodes between two places, from the first to the second.
void add_edge(const Place& from, const Place& to, int order, std::vector<Place>& nodes) {
  for (int step = 1; step < order; ++step) {
    Place at;
    for (std::size_t d = 0; d < 3; ++d) at[d] = from[d] + (to[d] - from[d]) / order * step;
    nodes.push_back(at);
  }
}

/// The nodes within a quadrilateral of that order, given by its corners: they form one of order - 2.
void add_within(const std::array<Place, 4>& around, int order, std::vector<Place>& nodes) {
  if (order < 2) return;
  std::array<Place, 4> inner;
  for (std::size_t c = 0; c < 4; ++c)  // from the corner one step along each of its edges
    for (std::size_t d = 0; d < 3; ++d)
      inner[c][d] = around[c][d] + (around[(c + 1) % 4][d] + around[(c + 3) % 4][d] - 2 * around[c][d]) / order;
  if (order == 2) {
    nodes.push_back(inner[0]);
    return;
  }
  nodes.insert(nodes.end(), inner.begin(), inner.end());
  for (std::size_t c = 0; c < 4; ++c) add_edge(inner[c], inner[(c + 1) % 4], order - 2, nodes);
  add_within(inner, order - 2, nodes);
}

/// The nodes of a cube from `low` to low + order.
void add_cube(int low, int order, std::vector<Place>& nodes) {
  const auto corner = [&](int c) {
    Place at = corners_of_cube[c];
    for (int& i : at) i = low + i * order;
    return at;
  };
  if (order == 0) {
    nodes.push_back(corner(0));
    return;
  }
  for (int c = 0; c < 8; ++c) nodes.push_back(corner(c));
  for (const auto& edge : edges_of_cube) add_edge(corner(edge[0]), corner(edge[1]), order, nodes);
  for (const auto& side : sides_of_cube)
    add_within({corner(side[0]), corner(side[1]), corner(side[2]), corner(side[3])}, order, nodes);
  if (order > 1) add_cube(low + 1, order - 2, nodes);
}

/// The node (i, j, k) of order 2 as a hexahedron of 20 nodes has it: sides and centre from edges and corners.
void complete(Point* nodes) {
  const auto at = [&](const Place& place) -> Point& { return nodes[(place[2] * 3 + place[1]) * 3 + place[0]]; };
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const Place place{i, j, k};
        const int middles = (i == 1) + (j == 1) + (k == 1);
        if (middles < 2) continue;
        Point sum{};
        for (int c = 0; c < 27; ++c) {  // those that differ from it in its middle directions alone
          const Place other{c % 3, c / 3 % 3, c / 9};
          int others = 0;
          bool is_near = true;
          for (std::size_t d = 0; d < 3; ++d) {
            if (place[d] == 1)
              others += other[d] == 1;
            else
              is_near = is_near && other[d] == place[d];
          }
          // of a side: 1/2 of 4 edges less 1/4 of 4 corners; of the centre: 1/4 of 12 edges less 1/4 of 8 corners
          const double weight = others == 0 ? -0.25 : others > 1 ? 0 : middles == 2 ? 0.5 : 0.25;
          if (is_near)
            for (std::size_t d = 0; d < 3; ++d) sum[d] += weight * at(other)[d];
        }
        at(place) = sum;
      }
}

}  // namespace

std::vector<Place> gmsh_nodes(int order) {
  std::vector<Place> nodes;
  add_cube(0, order, nodes);
  return nodes;
}

Curved curved_nodes(const MshCellList& cells, const std::vector<Point>& points) {
  const MshType& type = *cells.type;
  Curved curved{type.order, {}};
  const std::size_t n = static_cast<std::size_t>(type.order) + 1, elements = cells.corners.size() / 8,
                    others = static_cast<std::size_t>(type.nodes) - 8;
  std::vector<std::size_t> place_of;  // (node of Gmsh): its place
  for (const Place& at : gmsh_nodes(type.order)) place_of.push_back((at[2] * n + at[1]) * n + at[0]);
  curved.nodes.resize(elements * curved.per_element());
  for (std::size_t e = 0; e < elements; ++e) {
    Point* const nodes = &curved.nodes[e * curved.per_element()];
    for (std::size_t c = 0; c < 8; ++c)
      nodes[place_of[c]] = points[cells.corners[8 * e + cell(CellKind::hexahedron).gmsh_vertices[c]]];
    for (std::size_t i = 0; i < others; ++i) nodes[place_of[8 + i]] = points[cells.others[e * others + i]];
    if (type.nodes == 20) complete(nodes);
  }
  return curved;
}

}  // namespace miniapp::mesh
