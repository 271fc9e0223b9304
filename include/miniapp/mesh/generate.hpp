// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// Three factors of `elements`, as equal as can be (least surface), falling: 4096 gives {16, 16, 16}.
std::array<int, 3> cubical(int elements);

/// nx * ny * nz hexahedra that fill the unit cube, x fastest, stored unstructured.
Mesh make_box(int nx, int ny, int nz);

/// Moves every vertex by amplitude * sin(pi x) sin(pi y) sin(pi z) * (1, -1, 1/2) [m]: the cube's surface stays,
/// elements become true trilinear ones.
void deform(Mesh& mesh, double amplitude);

/// Turns the local frame of every element by one of the 24 rotations of the cube, at random. Geometry is unchanged;
/// neighbours no longer share directions.
void rotate_elements(Mesh& mesh, unsigned seed);

/// Moves every inner vertex of the unit cube at random by up to `amplitude` times the mesh size 1/n [m].
void perturb(Mesh& mesh, double amplitude, unsigned seed);

}  // namespace miniapp::mesh
