// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "miniapp/mesh/map.hpp"

namespace miniapp::mesh {

using Point = std::array<double, 3>;

/// Shapes of cells and the order of their vertices.
enum class CellKind {
  triangle,       ///< 3 vertices in the x-y plane, counter-clockwise
  quadrilateral,  ///< 4 vertices in the x-y plane, counter-clockwise
  hexahedron,  ///< 8 vertices: a + 2 b + 4 c lies at the corner (2a-1, 2b-1, 2c-1) of the cube [-1, 1]^3 of (r, s, t)
  prism,       ///< 6 vertices: 0, 1, 2 counter-clockwise as seen from 3, 4, 5, which lie above them (basis/prism.hpp)
};
std::string name(CellKind kind);
constexpr int dimension(CellKind kind) { return kind == CellKind::hexahedron || kind == CellKind::prism ? 3 : 2; }
constexpr int num_vertices(CellKind kind) {
  return kind == CellKind::triangle ? 3 : kind == CellKind::quadrilateral ? 4 : kind == CellKind::prism ? 6 : 8;
}

/// A conforming mesh of cells of one kind, on the host. Nothing may rely on neighbours sharing directions.
struct Mesh {
  std::vector<Point> vertices;           ///< coordinates [m]; cells in the x-y plane do not use z
  Map element_to_vertex;                 ///< (element, num_vertices(kind))
  CellKind kind = CellKind::hexahedron;  ///< of every element
  std::size_t num_elements() const { return element_to_vertex.size(); }
};

/// Hexahedra: vertices of the faces r=-1, r=+1, s=-1, s=+1, t=-1, t=+1; entry a + 2 b, a along the first remaining
/// direction.
inline constexpr int face_vertices[6][4] = {{0, 2, 4, 6}, {1, 3, 5, 7}, {0, 1, 4, 5},
                                            {2, 3, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}};

/// Hexahedra: vertices of the edges along r (b, c = 00, 10, 01, 11), along s (a, c), along t (a, b); lower end first.
inline constexpr int edge_vertices[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                             {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

/// The distinct edges or faces of a mesh of hexahedra and where elements meet them.
struct Entities {
  Map of_element;                   ///< (element, 12 edges or 6 faces): entity number
  std::vector<Index> multiplicity;  ///< elements that share each entity
  std::size_t size() const { return multiplicity.size(); }
};
Entities find_edges(const Mesh& mesh);
Entities find_faces(const Mesh& mesh);

/// Coefficients of the trilinear map of one hexahedron in the monomials: x_d(r, s, t) = sum_q c[q][d] r^a s^b t^c with
/// q = a + 2 b + 4 c and exponents 0 or 1 [m].
using Trilinear = std::array<Point, 8>;
Trilinear trilinear(const Mesh& mesh, std::size_t element);

}  // namespace miniapp::mesh
