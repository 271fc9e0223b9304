// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/mesh.hpp"

#include <bit>

namespace miniapp::mesh {

Trilinear trilinear(const Mesh& mesh, std::size_t element) {
  Trilinear coefficients{};
  for (unsigned q = 0; q < 8; ++q) {
    for (unsigned v = 0; v < 8; ++v) {
      const double sign = std::popcount(q & ~v) % 2 ? -1 : 1;  // (-1)^(directions of q in which v is at -1)
      for (int d = 0; d < 3; ++d) coefficients[q][d] += sign * mesh.vertices[mesh.element_to_vertex[element][v]][d] / 8;
    }
  }
  return coefficients;
}

}  // namespace miniapp::mesh
