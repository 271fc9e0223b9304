// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "miniapp/basis/quadrature.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::test {

using space::Boundary;

/// Moves every vertex, those of the surface too, by up to `amplitude` in each direction [m].
inline void shake(mesh::Mesh& mesh, double amplitude, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-amplitude, amplitude);
  for (mesh::Point& x : mesh.vertices)
    for (double& coordinate : x) coordinate += shift(random);
}

/// A box of unit cubes whose vertices are moved at random by up to 15 %: neighbours share directions, no two elements
/// share a shape.
inline mesh::Mesh make_shaken_box(int nx, int ny, int nz, unsigned seed = 1) {
  mesh::Mesh mesh = mesh::make_box(nx, ny, nz);
  for (mesh::Point& x : mesh.vertices) x = {x[0] * nx, x[1] * ny, x[2] * nz};
  shake(mesh, 0.15, seed);
  return mesh;
}

/// A shaken box whose elements have their local directions turned at random.
inline mesh::Mesh make_turned_box(int nx, int ny, int nz, unsigned seed = 1) {
  mesh::Mesh mesh = make_shaken_box(nx, ny, nz, seed);
  mesh::rotate_elements(mesh, seed);
  return mesh;
}

/// `sectors` hexahedra around one vertical line, `layers` high, turned at random: an edge that any number of elements
/// share, and no order of elements in which all neighbours share directions.
inline mesh::Mesh make_fan(int sectors, int layers, unsigned seed = 1) {
  mesh::Mesh mesh;
  const int ring = 2 * sectors + 1;
  for (int k = 0; k <= layers; ++k) {
    mesh.vertices.push_back({0.1, -0.1, double(k)});
    for (int i = 0; i < 2 * sectors; ++i) {
      const double angle = std::numbers::pi * i / sectors, radius = i % 2 ? 1.5 : 1.2;
      mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), k + 0.2 * std::sin(2.0 * i)});
    }
  }
  mesh.element_to_vertex = Map(std::size_t(sectors) * layers, 8);
  for (int k = 0; k < layers; ++k) {
    for (int s = 0; s < sectors; ++s) {
      const int corner[4] = {0, 1 + 2 * s, 1 + (2 * s + 2) % (2 * sectors), 2 + 2 * s};
      for (int v = 0; v < 8; ++v)
        mesh.element_to_vertex[std::size_t(k) * sectors + s][v] = (k + v / 4) * ring + corner[v % 4];
    }
  }
  mesh::rotate_elements(mesh, seed);
  return mesh;
}

/// The point (r, s, t) of an element [m].
inline mesh::Point evaluate(const mesh::Trilinear& c, double r, double s, double t) {
  const double monomials[8] = {1, r, s, r * s, t, r * t, s * t, r * s * t};
  mesh::Point x{};
  for (int q = 0; q < 8; ++q)
    for (int d = 0; d < 3; ++d) x[d] += monomials[q] * c[q][d];
  return x;
}

/// Volume by hand [m^3]: det J is quadratic in each direction, so that two Gauss points per direction are exact.
inline double volume(const mesh::Mesh& mesh, std::size_t element) {
  const mesh::Trilinear c = mesh::trilinear(mesh, element);
  const double g = 1 / std::sqrt(3.0);
  double sum = 0;
  for (int q = 0; q < 8; ++q) {
    const double at[3] = {q & 1 ? g : -g, q & 2 ? g : -g, q & 4 ? g : -g};
    mesh::Point J[3];
    for (int a = 0; a < 3; ++a) {  // x is linear in each direction: its slope is a difference
      double high[3] = {at[0], at[1], at[2]}, low[3] = {at[0], at[1], at[2]};
      high[a] = 1;
      low[a] = -1;
      const mesh::Point x = evaluate(c, high[0], high[1], high[2]), y = evaluate(c, low[0], low[1], low[2]);
      for (int d = 0; d < 3; ++d) J[a][d] = (x[d] - y[d]) / 2;
    }
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      sum += J[0][d] * (J[1][e] * J[2][f] - J[1][f] * J[2][e]);
    }
  }
  return sum;
}
inline double volume(const mesh::Mesh& mesh) {
  double sum = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) sum += volume(mesh, e);
  return sum;
}

/// The global node of an entry of Z, masked or not.
inline Index node_of(Index entry) { return entry < 0 ? ~entry : entry; }

/// Coordinates of every local node, (element, i + n j + n^2 k), by its element's trilinear map [m].
inline std::vector<mesh::Point> local_coordinates(const mesh::Mesh& mesh, int order) {
  const std::vector<double> x = basis::gauss_lobatto(order + 1).points;
  std::vector<mesh::Point> points;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Trilinear c = mesh::trilinear(mesh, e);
    for (const double t : x)
      for (const double s : x)
        for (const double r : x) points.push_back(evaluate(c, r, s, t));
  }
  return points;
}

/// The largest difference of two points' coordinates [m].
inline double distance(const mesh::Point& x, const mesh::Point& y) {
  return std::max({std::fabs(x[0] - y[0]), std::fabs(x[1] - y[1]), std::fabs(x[2] - y[2])});
}

/// Points by their place along a direction in general position: equal points are neighbours in this order.
inline std::vector<std::size_t> sweep(const std::vector<mesh::Point>& points) {
  const auto place = [&](std::size_t i) {
    return points[i][0] + std::numbers::phi * points[i][1] + std::numbers::e * points[i][2];
  };
  std::vector<std::size_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

/// The least distance of two global nodes that are neighbours in a sweep: 0 where one place has two numbers.
inline double least_distance(const std::vector<mesh::Point>& nodes) {
  const std::vector<std::size_t> order = sweep(nodes);
  double least = INFINITY;
  for (std::size_t i = 1; i < order.size(); ++i)
    least = std::min(least, distance(nodes[order[i]], nodes[order[i - 1]]));
  return least;
}

}  // namespace miniapp::test
