// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/hydro_stress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "indirect/bind.hpp"
#include "indirect/loops/geometry.hpp"
#include "mesh/box.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/generate.hpp"

namespace miniapp::indirect {
namespace {

/// Sedov's blast from the lowest corner, gamma = 1.4, when its shock has reached S = 0.6 of the box's longest side.
/// Nodes have moved from r_0 to r = S (r_0 / S)^(2/7), and the pressure, 1 Pa at the shock, is 0.366 + 0.634 (r/S)^15:
/// both as in the similarity solution near the centre, within 0.05 S and 0.02 Pa of it up to the shock. Ahead of the
/// shock it is 0.001 Pa.
Case hydro_stress_case(const mesh::Mesh& mesh) {
  require_kind(mesh, mesh::CellKind::hexahedron, "hydro-stress");
  const mesh::Box box(mesh);
  const double shock = 0.6 * std::max({box.side(0), box.side(1), box.side(2)});
  const auto radius = [&](const mesh::Point& x) {  // relative to the shock's
    return std::hypot(x[0] - box.low[0], x[1] - box.low[1], x[2] - box.low[2]) / shock;
  };

  Case::Values sigma(Case::elements, 3, mesh.num_elements()), x(Case::targets, 3, mesh.vertices.size());
  for_host(mesh.vertices.size(), [&](std::size_t v) {
    const mesh::Point& point = mesh.vertices[v];
    const double r = radius(point), stretch = r > 0 && r < 1 ? std::pow(r, 2. / 7 - 1) : 1;
    for (int d = 0; d < 3; ++d) x[v][d] = box.low[d] + stretch * (point[d] - box.low[d]);
  });
  for_host(mesh.num_elements(), [&](std::size_t e) {
    mesh::Point centre{};
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d) centre[d] += x[mesh.element_to_vertex[e][v]][d] / 8;
    const double r = radius(centre);
    std::fill_n(sigma[e], 3, r < 1 ? -(0.366 + 0.634 * std::pow(r, 15)) : -0.001);
  });
  return with_values({mesh.element_to_vertex, mesh.vertices.size(), {}, {}}, std::move(sigma), std::move(x));
}

std::array<int, 3> hydro_stress_sides(double cells) {
  const int side = cells_along(cells, 3);
  return {side, side, side};
}
mesh::Mesh hydro_stress_mesh(const std::array<int, 3>& sides) { return mesh::make_box(sides[0], sides[1], sides[2]); }

template <class Real, Layout layout>
std::unique_ptr<ShareableLoop> bind_hydro_stress(const Case& data, PlanArrays arrays) {
  const ElementMap<8> element_to_node("element to node", data.map, data.to_size);
  const auto sigma = make_field<Real, 3, layout>("sigma", data, 0);
  const auto x = make_field<Real, 3, layout>("x", data, 1);
  const Field<Real, 3, layout> force("force", data.to_size);
  const Plan<8> plan(std::move(arrays), element_to_node);
  return make_bound(Loop("indirect/hydro-stress", plan, loops::HydroStress{}, direct(sigma), read(x), increment(force)),
                    force);
}

}  // namespace

const LoopParts hydro_stress_loop{
    .dim = 3,
    .per_box = 1,
    .at_vertices = true,
    .sides = hydro_stress_sides,
    .make_mesh = hydro_stress_mesh,
    .make_part = mesh::make_box_part,
    .make_case = hydro_stress_case,
    .bind = {{bind_hydro_stress<double, Layout::aos>, bind_hydro_stress<double, Layout::soa>},
             {bind_hydro_stress<float, Layout::aos>, bind_hydro_stress<float, Layout::soa>}},
    .state = {{{"stress", Site::cells, 3}, 0}, {{"position", Site::vertices, 3}, 1}},
    .increments = {{{"force", Site::vertices, 3}, 0}},
    .bytes = 1100,
    .bytes_with_metis = 1700};

}  // namespace miniapp::indirect
