// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>

#include "indirect/bind.hpp"
#include "miniapp/indirect/loops/euler_flux.hpp"
#include "support/finite_volumes.hpp"

/// The application around the loop euler-flux: a gas flow in space.
namespace miniapp::test::euler {

using State = std::array<double, 5>;
using Vector3 = mesh::Point;

inline State make_state(double rho, const Vector3& u, double p) {
  return {rho, rho * u[0], rho * u[1], rho * u[2], p / 0.4 + rho * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / 2};
}
inline double pressure(const double* q) {
  return 0.4 * (q[4] - (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / (2 * q[0]));
}
/// F(q) . n, implemented independently.
inline State exact_flux(const State& q, const Vector3& n) {
  const double v = (q[1] * n[0] + q[2] * n[1] + q[3] * n[2]) / q[0], p = pressure(q.data());
  return {q[0] * v, q[1] * v + p * n[0], q[2] * v + p * n[1], q[3] * v + p * n[2], (q[4] + p) * v};
}

/// Gas in a mesh.
class Flow {
 public:
  explicit Flow(const mesh::Mesh& mesh, indirect::Strategy strategy = indirect::Strategy::owner)
      : cells(mesh.num_elements()), sizes(cell_sizes(mesh)), sides(boundary_sides(mesh)) {
    const indirect::Case data = indirect::make_case(indirect::LoopKind::euler_flux, mesh);
    const indirect::ElementMap<2> face_to_cell("cells", data.map, cells);
    q_ = indirect::make_field<double, 5, Layout::aos>("q", data, 1);
    residual_ = Field<double, 5>("residual", cells);
    const indirect::Loop loop("flux", indirect::Plan<2>(face_to_cell, {strategy}), indirect::loops::EulerFlux{},
                              indirect::direct(indirect::make_field<double, 3, Layout::aos>("normal", data, 0)),
                              indirect::read(q_), indirect::exchange(residual_));
    run_ = [loop] { loop(); };
    q = data.values[1].values;
  }

  /// The state of every cell from its centre.
  template <class Fill>
  void fill(const mesh::Mesh& mesh, const Fill& at) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const State state = at(cell_centre(mesh, cell));
      std::copy(state.begin(), state.end(), &q[5 * cell]);
    }
  }
  State state(std::size_t cell) const {
    return {q[5 * cell], q[5 * cell + 1], q[5 * cell + 2], q[5 * cell + 3], q[5 * cell + 4]};
  }

  /// Residual over inner faces, and of outer(cell's state, side) at the boundary.
  template <class Outer>
  std::vector<double> residual(const Outer& outer) const {
    q_.assign(q);
    residual_.fill(0);
    run_();
    std::vector<double> sum = residual_.to_vector();
    for (const BoundarySide& side : sides) {
      const State f = outer(state(side.cell), side);
      for (int c = 0; c < 5; ++c) sum[5 * side.cell + c] += f[c];
    }
    return sum;
  }
  template <class Outer>
  void step(double dt, const Outer& outer) {
    advance(q, residual(outer), cells, [&](std::size_t cell) { return dt / sizes[cell]; });
  }

  std::size_t cells;
  std::vector<double> sizes;
  std::vector<BoundarySide> sides;
  std::vector<double> q;

 private:
  Field<double, 5> q_, residual_;
  std::function<void()> run_;
};

/// The flux through a wall.
inline State wall(const State& q, const BoundarySide& side) {
  const double p = pressure(q.data());
  return {0, p * side.normal[0], p * side.normal[1], p * side.normal[2], 0};
}

}  // namespace miniapp::test::euler
