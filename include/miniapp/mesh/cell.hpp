// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// Cell kinds: one table per kind holds all that the project knows about it.
namespace miniapp::mesh {

/// Shapes and the order of their vertices.
enum class CellKind {
  triangle,       ///< 3 vertices in the x-y plane, counter-clockwise
  quadrilateral,  ///< 4 vertices in the x-y plane, counter-clockwise
  tetrahedron,    ///< 4 vertices: 0, 1, 2 counter-clockwise as seen from 3
  hexahedron,  ///< 8 vertices: a + 2 b + 4 c lies at the corner (2a-1, 2b-1, 2c-1) of the cube [-1, 1]^3 of (r, s, t)
  prism,       ///< 6 vertices: 0, 1, 2 counter-clockwise as seen from 3, 4, 5, which lie above them (basis/prism.hpp)
};
inline constexpr CellKind cell_kinds[] = {CellKind::triangle, CellKind::quadrilateral, CellKind::tetrahedron,
                                          CellKind::hexahedron, CellKind::prism};

/// An edge or a face of a cell by local vertices; those of a face are listed going around it.
struct Side {
  int size;  ///< 2: an edge; 3, 4: a face
  int vertices[4];
};

struct Cell {
  const char* name;
  const char* names;  ///< plural
  int dimension, num_vertices, num_edges;
  int num_faces;  ///< 0 in the plane
  /// Hexahedron: along r (b, c = 00, 10, 01, 11), along s (a, c), along t (a, b), lower end first. Plane cells: one
  /// after the other, counter-clockwise. Prism: edges of the triangle 0, 1, 2, each opposite the vertex of its number,
  /// then of the triangle 3, 4, 5, then the vertical ones.
  Side edges[12];
  /// The vertices go counter-clockwise as seen from outside. Hexahedron: r=-1, r=+1, s=-1, s=+1, t=-1, t=+1.
  /// Prism: 0, 1, 2; 3, 4, 5; the quadrilateral above each edge of 0, 1, 2.
  Side faces[6];
  /// Two rotations that generate all rotations of the cell onto itself: vertex v becomes the old turns[.][v].
  int turns[2][8];
  double signs[3][8];    ///< places of vertices in multiples of the mean tangents along r, s, t (solid cells)
  int gmsh_type;         ///< Gmsh's number of the type with straight sides
  int vtk_type;          ///< VTK's number of it
  int gmsh_vertices[8];  ///< our vertex for Gmsh's vertex i

  /// What cells of this kind share with their neighbours: edges in the plane, faces of solids.
  constexpr int num_sides() const { return dimension == 2 ? num_edges : num_faces; }
  constexpr const Side& side(int i) const { return dimension == 2 ? edges[i] : faces[i]; }
};

namespace detail {
// clang-format off
inline constexpr Cell cells[] = {
    {"triangle", "triangles", 2, 3, 3, 0,
     {{2, {0, 1}}, {2, {1, 2}}, {2, {2, 0}}},
     {},
     {{1, 2, 0}, {1, 2, 0}},
     {},
     2, 5, {0, 1, 2}},
    {"quadrilateral", "quadrilaterals", 2, 4, 4, 0,
     {{2, {0, 1}}, {2, {1, 2}}, {2, {2, 3}}, {2, {3, 0}}},
     {},
     {{1, 2, 3, 0}, {1, 2, 3, 0}},
     {},
     3, 9, {0, 1, 2, 3}},
    {"tetrahedron", "tetrahedra", 3, 4, 6, 4,
     {{2, {0, 1}}, {2, {1, 2}}, {2, {2, 0}}, {2, {0, 3}}, {2, {1, 3}}, {2, {2, 3}}},
     {{3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {2, 0, 3}}},
     {{1, 2, 0, 3}, {1, 0, 3, 2}},
     {{-1, 1, 0, 0}, {-1, 0, 1, 0}, {-1, 0, 0, 1}},
     4, 10, {0, 1, 2, 3}},
    {"hexahedron", "hexahedra", 3, 8, 12, 6,
     {{2, {0, 1}}, {2, {2, 3}}, {2, {4, 5}}, {2, {6, 7}}, {2, {0, 2}}, {2, {1, 3}},
      {2, {4, 6}}, {2, {5, 7}}, {2, {0, 4}}, {2, {1, 5}}, {2, {2, 6}}, {2, {3, 7}}},
     {{4, {0, 4, 6, 2}}, {4, {1, 3, 7, 5}}, {4, {0, 1, 5, 4}},
      {4, {2, 6, 7, 3}}, {4, {0, 2, 3, 1}}, {4, {4, 5, 7, 6}}},
     {{1, 3, 0, 2, 5, 7, 4, 6}, {2, 3, 6, 7, 0, 1, 4, 5}},  // quarter turns about t and r
     {{-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}},
     5, 12, {0, 1, 3, 2, 4, 5, 7, 6}},  // around the bottom, then around the top
    {"prism", "prisms", 3, 6, 9, 5,
     {{2, {1, 2}}, {2, {2, 0}}, {2, {0, 1}}, {2, {4, 5}}, {2, {5, 3}}, {2, {3, 4}},
      {2, {0, 3}}, {2, {1, 4}}, {2, {2, 5}}},
     {{3, {0, 2, 1}}, {3, {3, 4, 5}}, {4, {1, 2, 5, 4}}, {4, {2, 0, 3, 5}}, {4, {0, 1, 4, 3}}},
     {{1, 2, 0, 4, 5, 3}, {3, 5, 4, 0, 2, 1}},  // a third of a turn about the line, and upside down
     {{-1, 1, 0, -1, 1, 0}, {-1, 0, 1, -1, 0, 1}, {-1, -1, -1, 1, 1, 1}},
     6, 13, {0, 1, 2, 3, 4, 5}},
};
// clang-format on
}  // namespace detail

constexpr const Cell& cell(CellKind kind) { return detail::cells[static_cast<int>(kind)]; }
inline std::string name(CellKind kind) { return cell(kind).name; }
constexpr int dimension(CellKind kind) { return cell(kind).dimension; }
constexpr int num_vertices(CellKind kind) { return cell(kind).num_vertices; }

}  // namespace miniapp::mesh
