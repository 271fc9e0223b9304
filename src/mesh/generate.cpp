// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/generate.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace miniapp::mesh {

std::array<int, 3> cubical(int elements) {
  std::array<int, 3> best{elements, 1, 1};
  long least = 3L * elements;
  for (int z = 1; z * z <= elements / z; ++z) {
    if (elements % z) continue;
    const int layer = elements / z;
    for (int y = z; y <= layer / y; ++y) {
      if (layer % y) continue;
      const long x = layer / y, surface = x * y + x * z + long(y) * z;
      if (surface < least) {
        least = surface;
        best = {static_cast<int>(x), y, z};
      }
    }
  }
  return best;
}

Mesh make_box(int nx, int ny, int nz) {
  Mesh mesh;
  mesh.vertices.reserve(std::size_t(nx + 1) * (ny + 1) * (nz + 1));
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) mesh.vertices.push_back({double(i) / nx, double(j) / ny, double(k) / nz});
  mesh.element_to_vertex = Map(std::size_t(nx) * ny * nz, 8);
  std::size_t e = 0;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i, ++e) {
        for (int v = 0; v < 8; ++v) {
          const int a = v & 1, b = v >> 1 & 1, c = v >> 2;
          mesh.element_to_vertex[e][v] = static_cast<Index>((std::size_t(k + c) * (ny + 1) + j + b) * (nx + 1) + i + a);
        }
      }
    }
  }
  return mesh;
}

void deform(Mesh& mesh, double amplitude) {
  using std::numbers::pi;
  for (Point& x : mesh.vertices) {
    const double s = amplitude * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
    x = {x[0] + s, x[1] - s, x[2] + s / 2};
  }
}

void rotate_elements(Mesh& mesh, unsigned seed) {
  // quarter turns about t and r generate the rotation group; target[v] is the old vertex that becomes vertex v
  constexpr int about_t[8] = {1, 3, 0, 2, 5, 7, 4, 6};
  constexpr int about_r[8] = {2, 3, 6, 7, 0, 1, 4, 5};
  std::mt19937 random(seed);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    Index* vertices = mesh.element_to_vertex[e];
    for (int turn = 0; turn < 8; ++turn) {  // a word of eight random turns reaches every rotation
      const auto choice = random() % 3;
      if (choice == 0) continue;
      std::array<Index, 8> turned;
      for (int v = 0; v < 8; ++v) turned[v] = vertices[choice == 1 ? about_t[v] : about_r[v]];
      std::copy(turned.begin(), turned.end(), vertices);
    }
  }
}

void perturb(Mesh& mesh, double amplitude, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-amplitude, amplitude);
  const double h = 1 / std::cbrt(double(mesh.num_elements()));
  for (Point& x : mesh.vertices) {
    bool inside = true;
    for (const double c : x) inside = inside && c > 1e-12 && c < 1 - 1e-12;
    const Point move{shift(random), shift(random), shift(random)};
    if (inside)
      for (int d = 0; d < 3; ++d) x[d] += h * move[d];
  }
}

}  // namespace miniapp::mesh
