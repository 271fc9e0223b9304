// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

/// Plane meshes of quadrilaterals and triangles. The coordinates of a side's vertices tell which part of the boundary
/// it lies on; no boundary markers are stored.
namespace miniapp::mesh {

/// The unit square as nx * ny quadrilaterals or as twice as many triangles, x fastest. The diagonals alternate: from
/// the lower left where i + j is even. Errors: sizes below 1, a kind that is not plane, more than 2^31 - 1 vertices or
/// elements.
Mesh make_rectangle(CellKind kind, int nx, int ny);

/// The triangles of these squares of the same rectangle, with the vertices that they have, and the numbers of both in
/// the whole (Part): those of square e = j nx + i are 2 e and 2 e + 1. Errors: more than 2^31 - 1 triangles
/// (InputError).
Mesh make_triangle_part(const std::array<int, 2>& sides, const std::vector<std::int64_t>& squares,
                        const Communicator& ranks);

/// These squares of the rectangle as quadrilaterals, numbered as squares are, with the vertices that they have.
Mesh make_quadrilateral_part(const std::array<int, 2>& sides, const std::vector<std::int64_t>& squares,
                             const Communicator& ranks);

/// Half the thickness of the NACA 0012 aerofoil of chord 1 at 0 <= x <= 1, closed at the trailing edge [m]:
///   y = 0.6 (0.2969 sqrt(x) - 0.1260 x - 0.3516 x^2 + 0.2843 x^3 - 0.1036 x^4).
double naca_0012(double x);

/// The outer boundary of the O-grid: a circle of this radius about (1/2, 0) [m].
inline constexpr double far_field_radius = 20;

/// An O-grid of around * outwards quadrilaterals between the NACA 0012 aerofoil and the far field, ring after ring.
/// Vertex i of the wall lies at x = (1 + cos a) / 2 with a = 2 pi i / around, from the trailing edge over the upper
/// surface; a straight line joins it to the circle at the angle a, on which cell sizes grow geometrically, by a factor
/// of 40 in total. The rings are closed: the last element of a ring shares vertices with the first. Errors: around < 4,
/// outwards < 1, more than 2^31 - 1 vertices or elements.
Mesh make_o_grid(int around, int outwards);

/// These elements, ascending, of the O-grid of sides {around, outwards}, with the vertices that they have, and the
/// numbers of both in the whole (Part). Errors: as make_o_grid().
Mesh make_o_grid_part(const std::array<int, 2>& sides, const std::vector<std::int64_t>& elements,
                      const Communicator& ranks);

/// {around, outwards} of an O-grid of about `cells` elements, as nearly square as can be away from the wall; around is
/// even. 720 thousand give {1108, 650}. Errors: cells < 1.
std::array<int, 2> o_grid_sides(int cells);

}  // namespace miniapp::mesh
