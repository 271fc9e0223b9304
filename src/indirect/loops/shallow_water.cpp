// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/shallow_water.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "indirect/bind.hpp"
#include "indirect/loops/geometry.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/mesh/interfaces.hpp"

namespace miniapp::indirect {
namespace {

/// Circular dam break at the initial time: still water, 2 m deep inside the dam and 1 m outside, over a smooth bump 0.4
/// m high at the dam's edge: h, h u, h v, z. x lies in the unit square.
std::array<double, 4> state(const mesh::Point& x) {
  const bool behind = std::hypot(x[0] - 0.5, x[1] - 0.5) < 0.2;
  const double bump = 0.4 * std::exp(-50 * (std::pow(x[0] - 0.7, 2) + std::pow(x[1] - 0.5, 2)));
  return {(behind ? 2 : 1) - bump, 0, 0, bump};
}

Case shallow_water_case(const mesh::Mesh& mesh) {
  require_kind(mesh, mesh::CellKind::triangle, "shallow-water");
  mesh::Interfaces edges = mesh::find_interfaces(mesh);
  Case data;
  data.to_size = mesh.num_elements();
  Case::Values edge(Case::elements, 3, edges.to_vertex.size()), q(Case::targets, 4, data.to_size);
  for_host(edges.to_vertex.size(), [&](std::size_t e) {
    const Index* const vertices = edges.to_vertex[e];
    const mesh::Point n = edge_normal(mesh.vertices[vertices[0]], mesh.vertices[vertices[1]]);
    const double length = std::hypot(n[0], n[1]);
    edge[e][0] = n[0] / length;
    edge[e][1] = n[1] / length;
    edge[e][2] = length;
  });
  data.map = std::move(edges.to_cell);
  const RelativeCentre centre(mesh);
  for_host(mesh.num_elements(), [&](std::size_t cell) {
    const std::array<double, 4> here = state(centre(cell));
    std::copy(here.begin(), here.end(), q[cell]);
  });
  return with_values(std::move(data), std::move(edge), std::move(q));
}

std::array<int, 3> shallow_water_sides(double squares) {
  const int side = cells_along(squares, 2);
  return {side, side, 1};
}
mesh::Mesh shallow_water_mesh(const std::array<int, 3>& sides) {
  return mesh::make_rectangle(mesh::CellKind::triangle, sides[0], sides[1]);
}
mesh::Mesh shallow_water_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& squares,
                              const Communicator& ranks) {
  return mesh::make_triangle_part({sides[0], sides[1]}, squares, ranks);
}

template <class Real, Layout layout>
std::unique_ptr<ShareableLoop> bind_shallow_water(const Case& data, PlanArrays arrays) {
  const ElementMap<2> edge_to_cell("edge to cell", data.map, data.to_size);
  const auto edge = make_field<Real, 3, layout>("edge", data, 0);
  const auto q = make_field<Real, 4, layout>("q", data, 1);
  const Field<Real, 3, layout> residual("residual", data.to_size);
  const Plan<2> plan(std::move(arrays), edge_to_cell);
  return make_bound(
      Loop("indirect/shallow-water", plan, loops::ShallowWaterFlux{}, direct(edge), read(q), increment(residual)),
      residual);
}

}  // namespace

const LoopParts shallow_water_loop{
    .dim = 2,
    .per_box = 3,
    .at_vertices = false,
    .sides = shallow_water_sides,
    .make_mesh = shallow_water_mesh,
    .make_part = shallow_water_part,
    .make_case = shallow_water_case,
    .bind = {{bind_shallow_water<double, Layout::aos>, bind_shallow_water<double, Layout::soa>},
             {bind_shallow_water<float, Layout::aos>, bind_shallow_water<float, Layout::soa>}},
    .state = {{{"depth", Site::cells, 1, Sign::not_negative}, 1, 0},
              {{"discharge", Site::cells, 2}, 1, 1},
              {{"bottom", Site::cells, 1}, 1, 3}},
    .increments = {{{"depth_residual", Site::cells, 1}, 0, 0}, {{"discharge_residual", Site::cells, 2}, 0, 1}},
    .precision = Precision::fp32};

}  // namespace miniapp::indirect
