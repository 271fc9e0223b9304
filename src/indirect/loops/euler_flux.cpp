// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/euler_flux.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "indirect/bind.hpp"
#include "indirect/gas.hpp"
#include "indirect/loops/geometry.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/interfaces.hpp"

namespace miniapp::indirect {
namespace {

/// Initial state of Sod's shock tube along x, with a smooth velocity field in all directions: rho, rho u, rho v,
/// rho w, rho E. x lies in the unit cube.
std::array<double, 5> state(const mesh::Point& x) {
  const bool left = x[0] < 0.5;
  const auto wave = [&](int a, int b) {
    return 0.05 * std::sin(2 * std::numbers::pi * x[a]) * std::cos(2 * std::numbers::pi * x[b]);
  };
  const double rho = left ? 1 : 0.125, p = left ? 1 : 0.1, u = wave(0, 1), v = wave(1, 2), w = wave(2, 0);
  return {rho, rho * u, rho * v, rho * w, p / loops::EulerFlux::gamma_minus_1 + rho * (u * u + v * v + w * w) / 2};
}

Case euler_flux_case(const mesh::Mesh& mesh) {
  require_kind(mesh, mesh::CellKind::hexahedron, "euler-flux");
  mesh::Interfaces faces = mesh::find_interfaces(mesh);
  Case data;
  data.to_size = mesh.num_elements();
  Case::Values normal(Case::elements, 3, faces.to_vertex.size()), q(Case::targets, 5, data.to_size);
  for_host(faces.to_vertex.size(), [&](std::size_t i) {
    const mesh::Point n = face_normal(mesh, faces.to_vertex[i]);
    std::copy(n.begin(), n.end(), normal[i]);
  });
  data.map = std::move(faces.to_cell);
  const RelativeCentre centre(mesh);
  for_host(mesh.num_elements(), [&](std::size_t cell) {
    const std::array<double, 5> here = state(centre(cell));
    std::copy(here.begin(), here.end(), q[cell]);
  });
  return with_values(std::move(data), std::move(normal), std::move(q));
}

/// Faces of the boundary are missing: 3 n^2 (n - 1) of n^3 cells.
std::array<int, 3> euler_flux_sides(double cells) {
  const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(cells) + 1. / 3)));
  return {side, side, side};
}
mesh::Mesh euler_flux_mesh(const std::array<int, 3>& sides) { return mesh::make_box(sides[0], sides[1], sides[2]); }

template <class Real, Layout layout>
std::unique_ptr<ShareableLoop> bind_euler_flux(const Case& data, PlanArrays arrays) {
  const ElementMap<2> face_to_cell("face to cell", data.map, data.to_size);
  const auto normal = make_field<Real, 3, layout>("normal", data, 0);
  const auto q = make_field<Real, 5, layout>("q", data, 1);
  const Field<Real, 5, layout> residual("residual", data.to_size);
  const Plan<2> plan(std::move(arrays), face_to_cell);
  return make_bound(Loop("indirect/euler-flux", plan, loops::EulerFlux{}, direct(normal), read(q), exchange(residual)),
                    residual);
}

}  // namespace

const LoopParts euler_flux_loop{.dim = 3,
                                .per_box = 3,
                                .at_vertices = false,
                                .sides = euler_flux_sides,
                                .make_mesh = euler_flux_mesh,
                                .make_part = mesh::make_box_part,
                                .make_case = euler_flux_case,
                                .bind = {{bind_euler_flux<double, Layout::aos>, bind_euler_flux<double, Layout::soa>},
                                         {bind_euler_flux<float, Layout::aos>, bind_euler_flux<float, Layout::soa>}},
                                .state = gas_fields<3>(1, "", Sign::positive),
                                .increments = gas_fields<3>(0, "_residual", Sign::any),
                                .why_not = why_no_gas<3>};

}  // namespace miniapp::indirect
