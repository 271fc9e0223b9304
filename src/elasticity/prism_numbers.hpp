// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "miniapp/geometry/prism.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::elasticity {

/// The vertices (vertex, d) of a prism [m].
using PrismNumbers = std::array<double, geometry::prism_numbers>;
inline PrismNumbers vertices_of(const mesh::Mesh& mesh, std::size_t element) {
  PrismNumbers vertices;
  for (int i = 0; i < geometry::prism_numbers; ++i)
    vertices[i] = mesh.vertices[mesh.element_to_vertex[element][i / 3]][i % 3];
  return vertices;
}

}  // namespace miniapp::elasticity
