// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/mesh/cell.hpp"

namespace miniapp::mesh {

using Point = std::array<double, 3>;

/// A side of a cell: edge `side` of a plane cell, face `side` of a solid (mesh::cell).
struct CellSide {
  Index cell;
  int side;
  auto operator<=>(const CellSide&) const = default;  // NOLINT(modernize-use-nullptr): a fault of clang-tidy 14
};

/// A named set of cells, or of sides of cells: what Gmsh calls a physical group.
struct Group {
  std::string name;
  int dimension;                ///< the dimension of its members: that of the cells, or one less
  std::vector<Index> cells;     ///< ascending
  std::vector<CellSide> sides;  ///< ascending; a side between two cells is listed for both
};

/// What a rank has of a mesh that is distributed: other ranks have the other cells, and copies of vertices between.
struct Part {
  Communicator ranks;                  ///< alone: the mesh is not distributed, and the rest is empty
  std::vector<std::int64_t> vertices;  ///< (vertex): its number in the whole mesh, ascending
  std::vector<std::int64_t> elements;  ///< (element): likewise, in any order
};

/// What curves hexahedra: x(r, s, t) = sum_ijk x_ijk l_i(r) l_j(s) l_k(t) with the Lagrange polynomials of equidistant
/// nodes on [-1, 1].
struct Curved {
  int order = 1;  ///< 2..4; 1: elements are trilinear maps of their vertices
  std::vector<Point>
      nodes;  ///< (element, node (k, j, i)), i fastest, (order + 1)^3 of each element [m]; of order 1 none
  bool empty() const { return nodes.empty(); }
  std::size_t per_element() const { return std::size_t(order + 1) * (order + 1) * (order + 1); }
};
/// The highest order of curved hexahedra.
inline constexpr int most_curved_order = 4;

/// A conforming mesh of cells of one kind, on the host, or a rank's part of one. Neighbours need not share local
/// directions.
struct Mesh {
  std::vector<Point> vertices;           ///< coordinates [m]; cells in the x-y plane do not use z
  Map element_to_vertex;                 ///< (element, num_vertices(kind))
  CellKind kind = CellKind::hexahedron;  ///< the kind of every element
  std::vector<Group> groups = {};        ///< kept by all functions that change or permute a mesh
  Part part = {};                        ///< kept by deform(), map_kershaw() and reorder()
  Curved curved = {};                    ///< kept by reorder() and shuffle()
  std::size_t num_elements() const { return element_to_vertex.size(); }
  /// The number of an element in the whole mesh.
  std::int64_t number(std::size_t element) const {
    return part.elements.empty() ? static_cast<std::int64_t>(element) : part.elements[element];
  }
  /// The group of this name, the first of several; null if there is none.
  const Group* find_group(const std::string& name) const;
};

/// The vertices of a side, ascending; unused places hold -1.
using SideVertices = std::array<Index, 4>;
SideVertices side_vertices(const Mesh& mesh, const CellSide& side);
/// A mesh whose vertices are put in that order.
SideVertices sorted(SideVertices vertices);

/// Errors: InputError where the map of cells to vertices has another arity than the kind of cells, or a number that is
/// none of the vertices. O(cells).
void require_vertices(const Mesh& mesh);

/// Errors: InputError where elements are curved; `what` cannot take them.
void require_straight(const Mesh& mesh, const std::string& what);

/// Coefficients of the trilinear map of the vertices of one hexahedron in the monomial basis: x_d(r, s, t) = sum_q
/// c[q][d] r^a s^b t^c with q = a + 2 b + 4 c and exponents 0 or 1 [m].
using Trilinear = std::array<Point, 8>;
Trilinear trilinear(const Mesh& mesh, std::size_t element);

/// What the elements of a mesh have in common, each a special case of the one before.
enum class Shape {
  general,          ///< anything, other cells than hexahedra included
  parallelepipeds,  ///< hexahedra with straight edges, four of a direction parallel and of one length
  boxes,            ///< with right angles, in any position
};
struct CommonShape {
  Shape shape = Shape::general;
  /// How far an element is from this shape at most, relative to its least height; of `general` 0.
  double rounding = 0;
};
/// What the elements of all ranks have in common, where vertices are taken as rounded to 8 epsilon of their element's
/// largest coordinate: elements that are small beside their coordinates have a large `rounding`. O(elements).
/// Collective.
CommonShape common_shape(const Mesh& mesh);

}  // namespace miniapp::mesh
