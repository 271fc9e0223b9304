// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "indirect/bind.hpp"
#include "miniapp/indirect/loops/shallow_water.hpp"
#include "support/finite_volumes.hpp"

/// The application around the loop shallow-water: a basin.
namespace miniapp::test {

inline constexpr indirect::loops::ShallowWaterFlux shallow_water_flux;

/// What the loop adds to the two cells of an edge.
inline std::array<std::array<float, 3>, 2> flux_of(const float (&edge)[3], const float (&q)[2][4]) {
  float f[2][3];
  shallow_water_flux(edge, q, f);
  return {{{f[0][0], f[0][1], f[0][2]}, {f[1][0], f[1][1], f[1][2]}}};
}

/// Water between walls.
class Basin {
 public:
  explicit Basin(const mesh::Mesh& mesh, indirect::Strategy strategy = indirect::Strategy::owner)
      : cells(mesh.num_elements()), sizes(cell_sizes(mesh)), sides_(boundary_sides(mesh)), around_(cells) {
    const indirect::Case data = indirect::make_case(indirect::LoopKind::shallow_water, mesh);
    const indirect::ElementMap<2> edge_to_cell("cells", data.map, cells);
    q_ = indirect::make_field<float, 4, Layout::soa>("q", data, 1);
    residual_ = Field<float, 3, Layout::soa>("residual", cells);
    const indirect::Loop loop("flux", indirect::Plan<2>(edge_to_cell, {strategy}), shallow_water_flux,
                              indirect::direct(indirect::make_field<float, 3, Layout::soa>("edge", data, 0)),
                              indirect::read(q_), indirect::increment(residual_));
    run_ = [loop] { loop(); };
    q = q_.to_vector();
    for (std::size_t e = 0; e < data.map.size(); ++e)
      for (int s = 0; s < 2; ++s) around_[data.map[e][s]] += data.values[0].values[3 * e + 2];
    for (const BoundarySide& side : sides_) around_[side.cell] += std::hypot(side.normal[0], side.normal[1]);
  }

  /// h, u, v and z of every cell.
  template <class Fill>
  void fill(const mesh::Mesh& mesh, const Fill& at) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::array<double, 4> state = at(cell_centre(mesh, cell));
      for (int c = 0; c < 4; ++c) q[4 * cell + c] = static_cast<float>(c % 3 ? state[c] * state[0] : state[c]);
    }
  }

  /// Residual over inner edges and walls, where water meets its mirror image.
  std::vector<float> residual() const {
    q_.assign(q);
    residual_.fill(0);
    run_();
    std::vector<float> sum = residual_.to_vector();
    for (const BoundarySide& side : sides_) {
      const double length = std::hypot(side.normal[0], side.normal[1]);
      const float nx = float(side.normal[0] / length), ny = float(side.normal[1] / length);
      const float* const w = &q[4 * side.cell];
      const float m = 2 * (w[1] * nx + w[2] * ny);
      const auto f =
          flux_of({nx, ny, float(length)}, {{w[0], w[1], w[2], w[3]}, {w[0], w[1] - m * nx, w[2] - m * ny, w[3]}});
      for (int c = 0; c < 3; ++c) sum[3 * side.cell + c] += f[0][c];
    }
    return sum;
  }

  /// Half of the longest time step for which the loop promises depths >= 0.
  double time_step() const {
    double dt = 1;
    const double speed = fastest();
    for (std::size_t cell = 0; cell < cells; ++cell) dt = std::min(dt, 0.5 * sizes[cell] / (around_[cell] * speed));
    return dt;
  }
  double fastest() const {
    double speed = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const float* const w = &q[4 * cell];
      if (w[0] > shallow_water_flux.dry)
        speed =
            std::max(speed, std::hypot(w[1], w[2]) / w[0] + 2 * std::sqrt(double(shallow_water_flux.gravity) * w[0]));
    }
    return speed;
  }

  /// Makes a time step; the velocity of nearly dry cells is zero.
  double step(double longest = 1) {
    const double dt = std::min(longest, time_step());
    const std::vector<float> r = residual();
    advance(q, r, cells, [&](std::size_t cell) { return dt / sizes[cell]; });
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (q[4 * cell] <= shallow_water_flux.dry) q[4 * cell + 1] = q[4 * cell + 2] = 0;
    return dt;
  }

  std::size_t cells;
  std::vector<double> sizes;
  std::vector<float> q;

 private:
  std::vector<BoundarySide> sides_;
  std::vector<double> around_;  ///< length of a cell's edges
  Field<float, 4, Layout::soa> q_;
  Field<float, 3, Layout::soa> residual_;
  std::function<void()> run_;
};

}  // namespace miniapp::test
