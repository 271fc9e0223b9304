// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// Three factors of `elements`, as equal as can be (least surface), descending: 4096 gives {16, 16, 16}.
std::array<int, 3> cubical(int elements);

/// nx * ny * nz hexahedra that fill the unit cube, x fastest, stored as an unstructured mesh.
Mesh make_box(int nx, int ny, int nz);

/// These elements of the same box, ascending and different, with the vertices that they have, and the numbers of both
/// in the whole box (Part). Errors: others, more than 2^31 - 1 vertices (InputError).
Mesh make_box_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& elements,
                   const Communicator& ranks);

/// The box of make_box() as 2 nx ny nz prisms: each hexahedron is cut along a diagonal of its x-y plane, so that
/// triangles lie in that plane and lines along z. The diagonals alternate: from the lower left where i + j is even.
/// Errors: sizes below 1, more than 2^31 - 1 vertices or elements (InputError).
Mesh make_prism_box(int nx, int ny, int nz);

/// The prisms of these hexahedra of the same box, with the vertices that they have, and the numbers of both in the
/// whole box (Part): those of hexahedron e are 2 e and 2 e + 1. Errors: more than 2^31 - 1 prisms (InputError).
Mesh make_prism_box_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& hexahedra,
                         const Communicator& ranks);

/// The box of make_box() as 6 nx ny nz tetrahedra: each hexahedron is cut along its diagonal from the lowest to the
/// highest corner (Kuhn), so that faces of neighbours match; the six of a hexahedron are consecutive. Errors: as
/// make_prism_box().
Mesh make_tetrahedron_box(int nx, int ny, int nz);

/// The tetrahedra of these hexahedra of the same box, with the vertices that they have, and the numbers of both in the
/// whole box (Part): those of hexahedron e are 6 e .. 6 e + 5. Errors: more than 2^31 - 1 tetrahedra (InputError).
Mesh make_tetrahedron_box_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& hexahedra,
                               const Communicator& ranks);

/// Moves every vertex by amplitude * sin(pi x) sin(pi y) sin(pi z) * (1, -1, 1/2) [m]: the cube's surface stays in
/// place, elements become genuinely trilinear.
void deform(Mesh& mesh, double amplitude);

/// Kershaw's map of the unit cube onto itself, by vertices: y and z are compressed towards one side by `eps` in the
/// first sixth along x, towards the other in the last, and in between sheared from one to the other and back; 1 leaves
/// the cube as it is, cells are thinner and more sheared the smaller eps. Layers end within elements where their number
/// along x is no multiple of 6. Source: D. S. Kershaw, J. Comput. Phys. 39 (1981) 375-395; in three dimensions T. Kolev
/// et al., CEED milestone report 34 (2020), as examples/kershaw of nekRS has it. Errors: eps outside (0, 1]
/// (InputError).
void map_kershaw(Mesh& mesh, double eps);

/// Makes hexahedra curved ones of that order, 2..4: moves their vertices, and the nodes that it puts between, by
/// `place`. Errors: other orders, elements that are no hexahedra or curved already (InputError).
void curve(Mesh& mesh, int order, const std::function<Point(const Point&)>& place);

/// Turns the local frame of every cell at random by one of the rotations of its kind onto itself: 24 of a hexahedron,
/// 12 of a tetrahedron, 6 of a prism, 4 of a quadrilateral, 3 of a triangle. Geometry is unchanged; neighbours no
/// longer share directions.
void rotate_elements(Mesh& mesh, unsigned seed);

/// Moves every inner vertex of the unit square or cube at random, by up to `amplitude` times the mesh size in each of
/// its directions. Mesh size: n^(-1/2) for n squares, n^(-1/3) for n cubes, whether or not they are split into
/// triangles, prisms or tetrahedra [m]. Parts of a mesh get the vertices of the whole. Collective, where the mesh is
/// distributed.
void perturb(Mesh& mesh, double amplitude, unsigned seed);

/// A mesh whose elements and vertices are put in random order; the vertices of an element keep their places in
/// it. The order depends on the sizes and the seed only, not on the standard library. Of a rank's part only the
/// elements change places, since its vertices ascend. O(elements + vertices).
Mesh shuffle(const Mesh& mesh, unsigned seed);

}  // namespace miniapp::mesh
