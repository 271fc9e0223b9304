// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "miniapp/core/map.hpp"
#include "miniapp/mesh/cell.hpp"

namespace miniapp::mesh {

using Point = std::array<double, 3>;

/// A conforming mesh of cells of one kind, on the host. Neighbours need not share local directions.
struct Mesh {
  std::vector<Point> vertices;           ///< coordinates [m]; cells in the x-y plane do not use z
  Map element_to_vertex;                 ///< (element, num_vertices(kind))
  CellKind kind = CellKind::hexahedron;  ///< of every element
  std::size_t num_elements() const { return element_to_vertex.size(); }
};

/// Coefficients of the trilinear map of one hexahedron in the monomial basis: x_d(r, s, t) = sum_q c[q][d] r^a s^b t^c
/// with q = a + 2 b + 4 c and exponents 0 or 1 [m].
using Trilinear = std::array<Point, 8>;
Trilinear trilinear(const Mesh& mesh, std::size_t element);

}  // namespace miniapp::mesh
