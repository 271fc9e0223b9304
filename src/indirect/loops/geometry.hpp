// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "mesh/box.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/mesh/mesh.hpp"

/// Geometry of a mesh for the loops' cases.
namespace miniapp::indirect {

inline void require_kind(const mesh::Mesh& mesh, mesh::CellKind kind, const std::string& loop) {
  require(mesh.kind == kind, "loop", loop,
          "the mesh has elements of the kind " + name(mesh.kind) + "; accepted are those of the kind " + name(kind));
}

/// The side of a square (dimension 2) or a cube (3) of about so many cells, at least 1.
inline int cells_along(double cells, int dimension) {
  return std::max(1, static_cast<int>(std::lround(std::pow(cells, 1. / dimension))));
}

/// Normal of an edge from p to q by the formula of mesh/interfaces.hpp, with the length of the edge [m].
inline mesh::Point edge_normal(const mesh::Point& p, const mesh::Point& q) { return {q[1] - p[1], p[0] - q[0], 0}; }

/// Normal of a face with these vertices by the formula of mesh/interfaces.hpp, with the area of the face as its length
/// [m^2].
inline mesh::Point face_normal(const mesh::Mesh& mesh, const Index* vertices) {
  const auto x = [&](int corner, int d) { return mesh.vertices[vertices[corner]][d]; };
  mesh::Point n;
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    n[d] = ((x(2, e) - x(0, e)) * (x(3, f) - x(1, f)) - (x(2, f) - x(0, f)) * (x(3, e) - x(1, e))) / 2;
  }
  return n;
}

/// Mean of a cell's vertices [m].
inline mesh::Point cell_centre(const mesh::Mesh& mesh, std::size_t cell) {
  mesh::Point centre{};
  const int corners = mesh.element_to_vertex.arity;
  for (int i = 0; i < corners; ++i)
    for (int d = 0; d < 3; ++d) centre[d] += mesh.vertices[mesh.element_to_vertex[cell][i]][d] / corners;
  return centre;
}

/// Centres of cells relative to the bounding box of the mesh, [0, 1] in each direction, for states that are defined on
/// any mesh.
class RelativeCentre {
 public:
  explicit RelativeCentre(const mesh::Mesh& mesh) : mesh_(mesh), box_(mesh) {}
  mesh::Point operator()(std::size_t cell) const {
    mesh::Point centre = cell_centre(mesh_, cell);
    for (int d = 0; d < 3; ++d) centre[d] = box_.side(d) > 0 ? box_.relative(centre, d) : 0.5;
    return centre;
  }

 private:
  const mesh::Mesh& mesh_;
  mesh::Box box_;
};

}  // namespace miniapp::indirect
