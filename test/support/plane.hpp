// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::test {

/// Signed area of an element in the x-y plane, positive where its vertices are counter-clockwise [m^2].
inline double area(const mesh::Mesh& mesh, std::size_t element) {
  const int corners = mesh.element_to_vertex.arity;
  double sum = 0;
  for (int i = 0; i < corners; ++i) {
    const mesh::Point& p = mesh.vertices[mesh.element_to_vertex[element][i]];
    const mesh::Point& q = mesh.vertices[mesh.element_to_vertex[element][(i + 1) % corners]];
    sum += (p[0] * q[1] - p[1] * q[0]) / 2;
  }
  return sum;
}
inline double area(const mesh::Mesh& mesh) {
  double sum = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) sum += area(mesh, e);
  return sum;
}

/// True where every corner of an element turns to the left.
inline bool is_convex(const mesh::Mesh& mesh, std::size_t element) {
  const int corners = mesh.element_to_vertex.arity;
  const auto at = [&](int i) { return mesh.vertices[mesh.element_to_vertex[element][i % corners]]; };
  bool convex = true;
  for (int i = 0; i < corners; ++i) {
    const mesh::Point p = at(i), q = at(i + 1), r = at(i + 2);
    convex = convex && (q[0] - p[0]) * (r[1] - q[1]) > (q[1] - p[1]) * (r[0] - q[0]);
  }
  return convex;
}

}  // namespace miniapp::test
