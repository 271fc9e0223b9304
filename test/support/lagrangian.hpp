// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::test {

/// An ideal gas whose mesh of quadrilaterals or hexahedra moves with it, in a box with smooth walls. Staggered: energy
/// and pressure of cells, velocity of nodes. A step is position Verlet: half a drift, a kick, half a drift. The kick
/// takes the energy that it gives the nodes from the cells, force by force (compatible discretisation: Caramana,
/// Burton, Shashkov and Whalen, J. Comput. Phys. 146, 1998), so that the sum is kept to rounding:
///   p = (gamma - 1) rho e, q = rho |d| (c1 c + c2 |d|) where d = div v * size < 0   (von Neumann and Richtmyer),
///   d v / dt = sum of (p + q) B / M at a node,   d e / dt = -(p + q) sum of B . v / m of a cell,
/// with B the part of a cell's surface that belongs to a corner, area vector outwards: volume = sum of B . x / dim.
template <int dim>
struct LagrangianGas {
  static constexpr int corners = 1 << dim;
  using Corners = double[corners][dim];
  struct Areas {
    Corners b;
  };
  static constexpr double c1 = 0.2, c2 = 0.75;

  double gamma;
  void (*area_vectors)(const Corners& x, Corners& b);
  Map cells;
  std::vector<double> x, v;               ///< (node, dim) [m], [m/s]
  std::vector<double> e, mass;            ///< (cell) [J/kg], [kg]
  std::vector<double> node_mass;          ///< (node) [kg]
  std::vector<Areas> areas;               ///< (cell): B at half a step [m^(dim - 1)]
  std::vector<double> pressure, density;  ///< (cell): p + q [Pa], [kg/m^3] at half a step
  std::vector<char> at_wall;              ///< (node, dim): cannot move in this direction
  std::vector<double> wall_impulse;       ///< (dim): that the walls took [N s]
  double time = 0, next_step = 0;

  LagrangianGas(const mesh::Mesh& mesh, double gamma_, void (*area_vectors_)(const Corners&, Corners&))
      : gamma(gamma_), area_vectors(area_vectors_), cells(mesh.element_to_vertex) {
    const std::size_t nodes = mesh.vertices.size(), count = cells.size();
    v.resize(nodes * dim);
    at_wall.resize(nodes * dim);
    wall_impulse.resize(dim);
    areas.resize(count);
    for (auto* of_cells : {&e, &mass, &pressure, &density}) of_cells->resize(count);
    mesh::Point low = mesh.vertices[0], high = low;
    for (const mesh::Point& p : mesh.vertices) {
      for (int d = 0; d < dim; ++d) {
        x.push_back(p[d]);
        low[d] = std::min(low[d], p[d]);
        high[d] = std::max(high[d], p[d]);
      }
    }
    for (std::size_t i = 0; i < x.size(); ++i) at_wall[i] = x[i] == low[i % dim] || x[i] == high[i % dim];
  }

  /// Values (node, dim) at the corners of a cell.
  void gather(std::size_t cell, const std::vector<double>& values, Corners& local) const {
    for (int k = 0; k < corners; ++k)
      for (int d = 0; d < dim; ++d) local[k][d] = values[cells[cell][k] * dim + d];
  }
  double volume(std::size_t cell) const {
    Corners at, area;
    gather(cell, x, at);
    area_vectors(at, area);
    return dot(at, area) / dim;
  }

  /// Moves on by `dt`; acceleration(gas) gives that of the nodes (node, dim) from areas and pressure [m/s^2].
  template <class Acceleration>
  void step(double dt, const Acceleration& acceleration) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt / 2 * v[i];
    next_step = 1.1 * dt;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) update_pressure(cell, dt);
    const std::vector<double> a = acceleration(*this);
    std::vector<double> mean(v.size());  // of old and new velocity
    for (std::size_t i = 0; i < v.size(); ++i) {
      mean[i] = at_wall[i] ? 0 : v[i] + dt / 2 * a[i];
      v[i] = at_wall[i] ? 0 : v[i] + dt * a[i];
      if (at_wall[i]) wall_impulse[i % dim] += dt * a[i] * node_mass[i / dim];
      x[i] += dt / 2 * v[i];
    }
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      Corners velocity;
      gather(cell, mean, velocity);
      e[cell] -= dt * pressure[cell] * dot(velocity, areas[cell].b) / mass[cell];
    }
    time += dt;
  }

  /// Energy of all cells and nodes [J].
  double energy() const {
    double sum = 0;
    for (std::size_t cell = 0; cell < mass.size(); ++cell) sum += mass[cell] * e[cell];
    for (std::size_t i = 0; i < v.size(); ++i) sum += node_mass[i / dim] * v[i] * v[i] / 2;
    return sum;
  }

 private:
  static double dot(const Corners& p, const Corners& q) {
    double sum = 0;
    for (int k = 0; k < corners; ++k)
      for (int d = 0; d < dim; ++d) sum += p[k][d] * q[k][d];
    return sum;
  }

  /// p + q and the density from x at half a step and v before it; bounds the next step.
  void update_pressure(std::size_t cell, double dt) {
    Corners at, velocity;
    Corners& b = areas[cell].b;
    gather(cell, x, at);
    gather(cell, v, velocity);
    area_vectors(at, b);
    const double now = dot(at, b) / dim, rate = dot(velocity, b);
    density[cell] = mass[cell] / now;
    const double half = std::max(0., e[cell] - dt / 2 * pressure[cell] * rate / mass[cell]);  // energy at half a step
    const double p = (gamma - 1) * density[cell] * half, c = std::sqrt(gamma * p / density[cell]);
    const double jump = std::max(0., -rate / now * std::pow(now, 1. / dim));
    pressure[cell] = p + density[cell] * jump * (c1 * c + c2 * jump);
    double face = 0;  // of about the largest face, squared
    for (int k = 0; k < corners; ++k) {
      double square = 0;
      for (int d = 0; d < dim; ++d) square += b[k][d] * b[k][d];
      face = std::max(face, square * corners * corners / 4);
    }
    next_step = std::min(
        {next_step, 0.3 * now / std::sqrt(face) / (c + 4 * c2 * jump + 1e-30), 0.1 * now / (std::fabs(rate) + 1e-30)});
  }
};

}  // namespace miniapp::test
