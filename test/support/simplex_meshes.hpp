// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <vector>

#include "miniapp/mesh/generate_2d.hpp"
#include "support/tetrahedra.hpp"

namespace miniapp::test {

/// Triangles of the unit square, or tetrahedra of the unit cube, turned at random, distorted and shuffled.
inline mesh::Mesh make_simplices(int dim, int n) {
  mesh::Mesh mesh =
      dim == 2 ? mesh::make_rectangle(mesh::CellKind::triangle, n + 2, n) : make_tetrahedra(n, n + 1, n - 1);
  mesh::rotate_elements(mesh, 4);
  mesh::perturb(mesh, 0.12, 3);
  return mesh::shuffle(mesh, 7);
}

/// Numbers in [-amplitude, amplitude].
inline std::vector<double> random_vector(std::size_t size, double amplitude, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-amplitude, amplitude);
  std::vector<double> result(size);
  for (double& entry : result) entry = number(random);
  return result;
}

}  // namespace miniapp::test
