// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "miniapp/mesh/mesh.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::weakform {

/// What a form (form.hpp) reads beside u. A form of one coefficient at vertices takes their list alone.
///
///   Coefficients data(at_nodes(mesh, space, [](const mesh::Point& x) { return std::array{1 + x[0]}; }));
///   add_sides(data, mesh, "tip", [](const mesh::Point&) { return std::array{0., 0., -1.}; });
struct Coefficients {
  std::vector<double> nodal;               ///< (node, coefficients)
  std::vector<double> cells;               ///< (cell, cell_coefficients)
  std::vector<mesh::CellSide> sides = {};  ///< where b0 is integrated; a side between two cells for that which it names
  std::vector<double> at_sides = {};       ///< (side, point, side_coefficients) at side_points()

  // NOLINTNEXTLINE(google-explicit-constructor): a list of numbers at nodes is all that most forms take
  Coefficients(std::vector<double> at_nodes = {}, std::vector<double> of_cells = {})
      : nodal(std::move(at_nodes)), cells(std::move(of_cells)) {}
};

/// The points of quadrature of sides of simplices, (side, point) [m], dim of each side: those of Gauss on an edge, of
/// degree 2 on a triangle, all of one weight. Vertices of a side are in the order of mesh::Cell::side().
std::vector<mesh::Point> side_points(const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& sides);

/// The sides of a group. Errors: InputError naming the group where the mesh has none of sides of this name.
const std::vector<mesh::CellSide>& sides_of(const mesh::Mesh& mesh, const std::string& group);

/// f(x), an array of numbers, at points: (point, number).
template <class F>
std::vector<double> values_at(const std::vector<mesh::Point>& points, const F& f) {
  std::vector<double> values;
  for (const mesh::Point& x : points)
    for (const double value : f(x)) values.push_back(value);
  return values;
}
template <class F>
std::vector<double> at_nodes(const mesh::Mesh& mesh, const space::Space& space, const F& f) {
  return values_at(space::node_points(mesh, space), f);
}

/// Adds the sides of a group, with f(x), an array of side_coefficients numbers, at their points. Errors: as sides_of().
template <class F>
void add_sides(Coefficients& data, const mesh::Mesh& mesh, const std::string& group, const F& f) {
  const std::vector<mesh::CellSide>& sides = sides_of(mesh, group);
  const std::vector<double> values = values_at(side_points(mesh, sides), f);
  data.sides.insert(data.sides.end(), sides.begin(), sides.end());
  data.at_sides.insert(data.at_sides.end(), values.begin(), values.end());
}

}  // namespace miniapp::weakform
