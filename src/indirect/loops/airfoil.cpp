// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/airfoil.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "indirect/bind.hpp"
#include "indirect/gas.hpp"
#include "indirect/loops/geometry.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/mesh/interfaces.hpp"

namespace miniapp::indirect {
namespace {

constexpr double heat_ratio = 1.4, mach = 0.4, incidence = 3 * std::numbers::pi / 180;
constexpr double wave = 0.01;  ///< relative amplitude of the perturbation of the free stream

/// Free stream of density 1 and pressure 1 with a superposed standing sound wave: rho, rho u, rho v, rho E.
std::array<double, 4> state(const mesh::Point& x) {
  const double w = wave * std::sin(2 * std::numbers::pi * x[0]) * std::sin(2 * std::numbers::pi * x[1]);
  const double rho = 1 + w, p = std::pow(rho, heat_ratio), speed = mach * std::sqrt(heat_ratio);
  const double u = speed * std::cos(incidence), v = speed * std::sin(incidence);
  return {rho, rho * u, rho * v, p / (heat_ratio - 1) + rho * (u * u + v * v) / 2};
}

/// |u . n| + c |n| over the edges of a cell (adt_calc of the benchmark, without its CFL number) [m^2/s].
double sum_of_speeds(const mesh::Mesh& mesh, std::size_t cell, const std::array<double, 4>& q) {
  const double u = q[1] / q[0], v = q[2] / q[0];
  const double c = std::sqrt(heat_ratio * (heat_ratio - 1) * (q[3] / q[0] - (u * u + v * v) / 2));
  const auto vertex = [&](int i) { return mesh.vertices[mesh.element_to_vertex[cell][i % 4]]; };
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const mesh::Point n = edge_normal(vertex(i), vertex(i + 1));
    sum += std::fabs(u * n[0] + v * n[1]) + c * std::hypot(n[0], n[1]);
  }
  return sum;
}

/// Sums of speeds of the cells' states.
void set_speeds(const mesh::Mesh& mesh, Case& data) {
  for_host(mesh.num_elements(), [&](std::size_t cell) {
    std::array<double, 4> q{};
    std::copy_n(data.values[1][cell], 4, q.begin());
    *data.values[2][cell] = sum_of_speeds(mesh, cell, q);
  });
}

Case airfoil_case(const mesh::Mesh& mesh) {
  require_kind(mesh, mesh::CellKind::quadrilateral, "airfoil");
  mesh::Interfaces edges = mesh::find_interfaces(mesh);
  for_host(edges.to_vertex.size(), [&](std::size_t e) {  // the benchmark's node order is the reverse
    std::swap(edges.to_vertex[e][0], edges.to_vertex[e][1]);
  });
  Case data;
  data.map = std::move(edges.to_cell);
  data.to_size = mesh.num_elements();
  data.others.push_back({std::move(edges.to_vertex), mesh.vertices.size()});
  Case::Values x(0, 2, mesh.vertices.size()), q(Case::targets, 4, data.to_size), speeds(Case::targets, 1, data.to_size);
  for_host(mesh.vertices.size(), [&](std::size_t v) { std::copy_n(mesh.vertices[v].begin(), 2, x[v]); });
  const RelativeCentre centre(mesh);
  for_host(mesh.num_elements(), [&](std::size_t cell) {
    const std::array<double, 4> here = state(centre(cell));
    std::copy(here.begin(), here.end(), q[cell]);
  });
  data = with_values(std::move(data), std::move(x), std::move(q), std::move(speeds));
  set_speeds(mesh, data);
  return data;
}

std::array<int, 3> airfoil_sides(double cells) {
  const auto [around, outwards] = mesh::o_grid_sides(std::max(4, static_cast<int>(std::lround(cells))));
  return {std::max(around, 4), std::max(outwards, 1), 1};
}
mesh::Mesh airfoil_mesh(const std::array<int, 3>& sides) { return mesh::make_o_grid(sides[0], sides[1]); }
mesh::Mesh airfoil_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& cells,
                        const Communicator& ranks) {
  return mesh::make_o_grid_part({sides[0], sides[1]}, cells, ranks);
}

template <class Real, Layout layout>
std::unique_ptr<ShareableLoop> bind_airfoil(const Case& data, PlanArrays arrays) {
  const ElementMap<2> edge_to_cell("edge to cell", data.map, data.to_size);
  const ElementMap<2> edge_to_node("edge to node", data.others[0].map, data.others[0].to_size);
  const auto x = make_field<Real, 2, layout>("x", data, 0);
  const auto q = make_field<Real, 4, layout>("q", data, 1);
  const auto a = make_field<Real, 1, layout>("a", data, 2);
  const Field<Real, 4, layout> residual("residual", data.to_size);
  const Plan<2> plan(std::move(arrays), edge_to_cell);
  return make_bound(
      Loop("indirect/airfoil", plan, loops::AirfoilFlux{}, read(x, edge_to_node), read(q), read(a), exchange(residual)),
      residual);
}

}  // namespace

const LoopParts airfoil_loop{.dim = 2,
                             .per_box = 2,
                             .at_vertices = false,
                             .sides = airfoil_sides,
                             .make_mesh = airfoil_mesh,
                             .make_part = airfoil_part,
                             .make_case = airfoil_case,
                             .bind = {{bind_airfoil<double, Layout::aos>, bind_airfoil<double, Layout::soa>},
                                      {bind_airfoil<float, Layout::aos>, bind_airfoil<float, Layout::soa>}},
                             .state = gas_fields<2>(1, "", Sign::positive),
                             .increments = gas_fields<2>(0, "_residual", Sign::any),
                             .complete = set_speeds,
                             .why_not = why_no_gas<2>};

}  // namespace miniapp::indirect
