// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>

#include "indirect/bind.hpp"
#include "miniapp/indirect/loops/airfoil.hpp"
#include "support/finite_volumes.hpp"

/// The application around the loop airfoil: a plane gas flow.
namespace miniapp::test::airfoil {

using State = std::array<double, 4>;
inline constexpr double heat_ratio = 1.4;

inline State make_state(double rho, double u, double v, double p) {
  return {rho, rho * u, rho * v, p / (heat_ratio - 1) + rho * (u * u + v * v) / 2};
}
inline double pressure(const double* q) { return (heat_ratio - 1) * (q[3] - (q[1] * q[1] + q[2] * q[2]) / (2 * q[0])); }

/// F(q) . n, implemented independently.
inline State flux(const double* q, const mesh::Point& n) {
  const double v = (q[1] * n[0] + q[2] * n[1]) / q[0], p = pressure(q);
  return {q[0] * v, q[1] * v + p * n[0], q[2] * v + p * n[1], (q[3] + p) * v};
}

/// Outflow of the cells of a mesh.
class Flow {
 public:
  explicit Flow(const mesh::Mesh& mesh, indirect::Strategy strategy = indirect::Strategy::owner)
      : cells(mesh.num_elements()), sizes(cell_sizes(mesh)), sides(boundary_sides(mesh)), mesh_(mesh) {
    const indirect::Case data = indirect::make_case(indirect::LoopKind::airfoil, mesh);
    const indirect::ElementMap<2> edge_to_cell("cells", data.map, cells),
        edge_to_node("nodes", data.others[0].map, data.others[0].to_size);
    q_ = indirect::make_field<double, 4, Layout::aos>("q", data, 1);
    a_ = indirect::make_field<double, 1, Layout::aos>("a", data, 2);
    residual_ = Field<double, 4>("residual", cells);
    const indirect::Loop loop("flux", indirect::Plan<2>(edge_to_cell, {strategy}), indirect::loops::AirfoilFlux{},
                              indirect::read(indirect::make_field<double, 2, Layout::aos>("x", data, 0), edge_to_node),
                              indirect::read(q_), indirect::read(a_), indirect::exchange(residual_));
    run_ = [loop] { loop(); };
    q = data.values[1].values;
  }

  /// |u . n| + c |n| over the edges of a cell.
  double speeds(std::size_t cell) const {
    const double* const w = &q[4 * cell];
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      const mesh::Point& from = mesh_.vertices[mesh_.element_to_vertex[cell][i]];
      const mesh::Point& to = mesh_.vertices[mesh_.element_to_vertex[cell][(i + 1) % 4]];
      const double nx = to[1] - from[1], ny = from[0] - to[0];
      sum += std::fabs(w[1] * nx + w[2] * ny) / w[0] + std::sqrt(heat_ratio * pressure(w) / w[0] * (nx * nx + ny * ny));
    }
    return sum;
  }

  /// Residual of the state q: the loop over inner edges, and outer(cell's state, side, a) at the boundary.
  template <class Outer>
  std::vector<double> residual(const Outer& outer) {
    a.clear();
    for (std::size_t cell = 0; cell < cells; ++cell) a.push_back(speeds(cell));
    q_.assign(q);
    a_.assign(a);
    residual_.fill(0);
    run_();
    std::vector<double> sum = residual_.to_vector();
    for (const BoundarySide& side : sides) {
      const State f = outer(&q[4 * side.cell], side, a[side.cell]);
      for (int c = 0; c < 4; ++c) sum[4 * side.cell + c] += f[c];
    }
    return sum;
  }

  std::size_t cells;
  std::vector<double> sizes;
  std::vector<BoundarySide> sides;
  std::vector<double> q, a;

 private:
  mesh::Mesh mesh_;
  Field<double, 4> q_, residual_;
  Field<double, 1> a_;
  std::function<void()> run_;
};

/// The flux through a wall.
inline State wall(const double* q, const BoundarySide& side, double) {
  const double p = pressure(q);
  return {0, p * side.normal[0], p * side.normal[1], 0};
}

}  // namespace miniapp::test::airfoil
