// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/end_face.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/elasticity/side_integral.hpp"

namespace miniapp::elasticity {
namespace {

/// The sides all of whose vertices lie in the plane.
std::vector<mesh::CellSide> sides_in_plane(const mesh::Mesh& mesh, double x, double near) {
  const mesh::Cell cell = mesh::cell(mesh.kind);
  std::vector<mesh::CellSide> sides;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int side = 0; side < cell.num_sides(); ++side) {
      const mesh::Side face = cell.side(side);
      const auto in_plane = [&](int v) {
        return std::fabs(mesh.vertices[mesh.element_to_vertex[e][v]][0] - x) <= near;
      };
      if (std::all_of(face.vertices, face.vertices + face.size, in_plane))
        sides.push_back({static_cast<Index>(e), side});
    }
  return sides;
}

}  // namespace

std::vector<double> integrate_end(const mesh::Mesh& mesh, const space::Space& space, double x, double near,
                                  const EndFunction& f) {
  const std::vector<mesh::CellSide> sides = sides_in_plane(mesh, x, near);
  require(mesh.part.ranks.of_all(Reduction::max, std::int64_t(!sides.empty())) > 0,
          "no face of the mesh lies in the plane x = " + std::to_string(x));
  const std::vector<double> vectors =
      integrate_sides(mesh, space, sides, [&](std::size_t, const mesh::Point& at, const mesh::Point&) {
        return mesh::Point{f(at[1], at[2]), 0, 0};
      });
  std::vector<double> sums;
  for (std::size_t i = 0; i < vectors.size(); i += 3) sums.push_back(vectors[i]);
  return sums;
}

}  // namespace miniapp::elasticity
