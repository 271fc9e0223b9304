// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/corner_acceleration.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "indirect/bind.hpp"
#include "indirect/loops/geometry.hpp"
#include "mesh/box.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/generate_2d.hpp"

namespace miniapp::indirect {
namespace {

struct Gas {
  double density, pressure;
};

/// Solution of Sod's shock tube, gamma = 1.4, at x / t = s [m/s], x measured from the membrane: rarefaction, star
/// states, shock.
Gas sod(double s) {
  const double c = std::sqrt(1.4), c_here = (5 * c - s) / 6;  // speed of sound; the same inside the rarefaction
  if (s < -c) return {1, 1};
  if (s < -0.07027) return {std::pow(c_here / c, 5), std::pow(c_here / c, 7)};
  if (s < 0.92745) return {0.42632, 0.30313};
  if (s < 1.75216) return {0.26557, 0.30313};
  return {0.125, 0.1};
}

/// Sod's shock tube along x at t = 0.2 [s] with the mesh's bounding box scaled to the unit square, the membrane in the
/// middle, and the mesh deformed by sine waves of 5 %. Corner forces are pressure times half the adjacent edges'
/// normals, corner masses density times the median subzone between a vertex, the midpoints of its edges and the
/// element's centre.
Case corner_acceleration_case(const mesh::Mesh& mesh) {
  require_kind(mesh, mesh::CellKind::quadrilateral, "corner-acceleration");
  using std::numbers::pi;
  const mesh::Box box(mesh);
  std::vector<mesh::Point> points = make_large<mesh::Point>(mesh.vertices.size());
  for_host(points.size(), [&](std::size_t v) {
    const mesh::Point& x = mesh.vertices[v];
    const double wave = 0.05 * std::sin(pi * box.relative(x, 0)) * std::sin(pi * box.relative(x, 1));
    for (int d = 0; d < 3; ++d) points[v][d] = x[d] + (d < 2 ? wave * box.side(d) : 0);
  });

  const auto make_values = [&] { return Case::Values(Case::elements, 4, mesh.num_elements()); };
  Case::Values mass = make_values(), force_x = make_values(), force_y = make_values();
  for_host(mesh.num_elements(), [&](std::size_t e) {
    const auto at = [&](int v) { return points[mesh.element_to_vertex[e][v % 4]]; };
    const mesh::Point a = at(0), b = at(1), c = at(2), d = at(3);
    const double x = (a[0] + b[0] + c[0] + d[0]) / 4, y = (a[1] + b[1] + c[1] + d[1]) / 4;
    const Gas gas = sod((box.relative({x, y, 0}, 0) - 0.5) / 0.2);
    for (int v = 0; v < 4; ++v) {
      const mesh::Point here = at(v), next = at(v + 1), last = at(v + 3);
      const double nx = (next[1] - last[1]) / 2, ny = (last[0] - next[0]) / 2;
      mass[e][v] = gas.density * ((x - here[0]) * -nx + (y - here[1]) * -ny) / 2;
      force_x[e][v] = gas.pressure * nx;
      force_y[e][v] = gas.pressure * ny;
    }
  });
  return with_values({mesh.element_to_vertex, mesh.vertices.size(), {}, {}}, std::move(mass), std::move(force_x),
                     std::move(force_y));
}

std::array<int, 3> corner_acceleration_sides(double cells) {
  const int side = cells_along(cells, 2);
  return {side, side, 1};
}
mesh::Mesh corner_acceleration_mesh(const std::array<int, 3>& sides) {
  return mesh::make_rectangle(mesh::CellKind::quadrilateral, sides[0], sides[1]);
}
mesh::Mesh corner_acceleration_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& cells,
                                    const Communicator& ranks) {
  return mesh::make_quadrilateral_part({sides[0], sides[1]}, cells, ranks);
}

template <class Real, Layout layout>
std::unique_ptr<ShareableLoop> bind_corner_acceleration(const Case& data, PlanArrays arrays) {
  const ElementMap<4> element_to_node("element to node", data.map, data.to_size);
  const auto mass = make_field<Real, 4, layout>("corner mass", data, 0);
  const auto force_x = make_field<Real, 4, layout>("corner force x", data, 1);
  const auto force_y = make_field<Real, 4, layout>("corner force y", data, 2);
  const Field<Real, 1, layout> node_mass("node mass", data.to_size);
  const Field<Real, 2, layout> node_force("node force", data.to_size);
  const Plan<4> plan(std::move(arrays), element_to_node);
  return make_bound(Loop("indirect/corner-acceleration", plan, loops::CornerAcceleration{}, direct(mass),
                         direct(force_x), direct(force_y), increment(node_mass), increment(node_force)),
                    node_mass, node_force);
}

}  // namespace

const LoopParts corner_acceleration_loop{
    .dim = 2,
    .per_box = 1,
    .at_vertices = true,
    .sides = corner_acceleration_sides,
    .make_mesh = corner_acceleration_mesh,
    .make_part = corner_acceleration_part,
    .make_case = corner_acceleration_case,
    .bind = {{bind_corner_acceleration<double, Layout::aos>, bind_corner_acceleration<double, Layout::soa>},
             {bind_corner_acceleration<float, Layout::aos>, bind_corner_acceleration<float, Layout::soa>}},
    .state = {{{"corner_mass", Site::corners, 4, Sign::positive}, 0},
              {{"corner_force_x", Site::corners, 4}, 1},
              {{"corner_force_y", Site::corners, 4}, 2}},
    .increments = {{{"mass", Site::vertices, 1}, 0}, {{"force", Site::vertices, 2}, 1}},
    .bytes = 800,
    .bytes_with_metis = 1000};

}  // namespace miniapp::indirect
