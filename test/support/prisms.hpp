// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "support/vectors.hpp"

namespace miniapp::test {

/// The vertices (vertex, d) of the reference prism.
inline std::vector<double> reference_prism() { return {0, 0, -1, 1, 0, -1, 0, 1, -1, 0, 0, 1, 1, 0, 1, 0, 1, 1}; }

/// A prism of no special shape, place or orientation: sheared, each vertex moved, det J positive and far from constant.
inline std::vector<double> make_prism(unsigned seed) {
  const double A[3][3] = {{0.9, -0.3, 0.2}, {0.4, 1.1, -0.25}, {-0.1, 0.35, 0.8}}, origin[3] = {0.7, -0.4, 1.3};
  const std::vector<double> reference = reference_prism(), move = random_numbers(18, seed);
  std::vector<double> vertices(18);
  for (int v = 0; v < 6; ++v)
    for (int d = 0; d < 3; ++d) {
      vertices[3 * v + d] = origin[d] + 0.12 * move[3 * v + d];
      for (int a = 0; a < 3; ++a) vertices[3 * v + d] += A[d][a] * reference[3 * v + a];
    }
  return vertices;
}

}  // namespace miniapp::test
