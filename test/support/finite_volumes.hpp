// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/indirect/case.hpp"
#include "miniapp/mesh/interfaces.hpp"
#include "support/all_close.hpp"
#include "support/meshes.hpp"
#include "support/plane.hpp"

/// The small application step around a loop over inner sides: residual(q) of the loop, what the boundary adds,
/// advance().
namespace miniapp::test {

/// A side of the boundary.
struct BoundarySide {
  Index cell;
  std::vector<mesh::Point> corners;
  mesh::Point normal;  ///< outwards, as large as the side [m or m^2]
};

/// The sides of a mesh's boundary. The normal of a face is the sum over its corners of x_i x x_i+1 / 2.
inline std::vector<BoundarySide> boundary_sides(const mesh::Mesh& mesh) {
  const mesh::Interfaces found = mesh::find_interfaces(mesh);
  std::vector<BoundarySide> sides;
  for (std::size_t b = 0; b < found.boundary_to_cell.size(); ++b) {
    BoundarySide side{found.boundary_to_cell[b][0], {}, {}};
    const int corners = found.boundary_to_vertex.arity;
    for (int i = 0; i < corners; ++i) side.corners.push_back(mesh.vertices[found.boundary_to_vertex[b][i]]);
    if (corners == 2)
      side.normal = {side.corners[1][1] - side.corners[0][1], side.corners[0][0] - side.corners[1][0], 0};
    else
      for (int i = 0; i < corners; ++i)
        for (int d = 0; d < 3; ++d) {
          const mesh::Point &p = side.corners[i], &q = side.corners[(i + 1) % corners];
          side.normal[d] += (p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3]) / 2;
        }
    sides.push_back(side);
  }
  return sides;
}

/// Areas or volumes of the cells [m^2 or m^3].
inline std::vector<double> cell_sizes(const mesh::Mesh& mesh) {
  std::vector<double> sizes;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    sizes.push_back(dimension(mesh.kind) == 2 ? area(mesh, e) : volume(mesh, e));
  return sizes;
}

/// Mean of a cell's vertices [m].
inline mesh::Point cell_centre(const mesh::Mesh& mesh, std::size_t cell) {
  mesh::Point centre{};
  const int corners = mesh.element_to_vertex.arity;
  for (int i = 0; i < corners; ++i)
    for (int d = 0; d < 3; ++d) centre[d] += mesh.vertices[mesh.element_to_vertex[cell][i]][d] / corners;
  return centre;
}

/// q -= factor(cell) * residual, (cell, component). A time step where factor = dt / size.
template <class Real, class Factor>
void advance(std::vector<Real>& q, const std::vector<Real>& residual, std::size_t cells, const Factor& factor) {
  const std::size_t components = residual.size() / cells, stride = q.size() / cells;
  for (std::size_t cell = 0; cell < cells; ++cell)
    for (std::size_t c = 0; c < components; ++c)
      q[cell * stride + c] -= static_cast<Real>(factor(cell)) * residual[cell * components + c];
}

/// Sum over cells of weight(cell) * q(cell, component) and of its absolute values, the scale of its rounding.
struct Total {
  double sum = 0, size = 0;
};
template <class Real>
Total total(const std::vector<Real>& q, int stride, int component, const std::vector<double>& weights = {}) {
  Total result;
  for (std::size_t cell = 0; cell < q.size() / stride; ++cell) {
    const double value = q[cell * stride + component] * (weights.empty() ? 1 : weights[cell]);
    result.sum += value;
    result.size += std::fabs(value);
  }
  return result;
}

/// Checks that a loop does what its serial form does, and that the first `conserved` of `components` sum to nothing
/// over the cells, by rounding of `terms`.
template <class Real>
void check_moves_only(const indirect::BoundLoop& loop, int components, int conserved, int terms) {
  loop.serial();
  const std::vector<double> expected = loop.result();
  loop.clear();
  loop.run(Instance());
  const std::vector<double> residual = loop.result();

  CHECK_THAT(values(residual), all_close<Real>(values(expected), 8));
  for (int c = 0; c < conserved; ++c) {
    const Total sum = total(residual, components, c);
    CHECK(sum.size > 0.01);
    CHECK(sum.sum == close<Real>(0, terms, sum.size));
  }
}

}  // namespace miniapp::test
