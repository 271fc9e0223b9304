// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Corners of one quadrilateral, counter-clockwise, as Lagrangian codes have them.
namespace miniapp::test {

using Four = double[4][2];

/// Half the normals of the two edges at each corner, outwards.
inline void corner_normals(const Four& x, Four& b) {
  for (int k = 0; k < 4; ++k) {
    const auto &last = x[(k + 3) % 4], &next = x[(k + 1) % 4];
    b[k][0] = (next[1] - last[1]) / 2;
    b[k][1] = (last[0] - next[0]) / 2;
  }
}

/// The area between a corner, the middles of its edges and the mean of the vertices, from its four vertices.
inline double median_area(const Four& x, int corner) {
  double at[4][2];  // the corner, the middle of the next edge, the centre, the middle of the last edge
  for (int d = 0; d < 2; ++d) {
    at[0][d] = x[corner][d];
    at[1][d] = (x[corner][d] + x[(corner + 1) % 4][d]) / 2;
    at[2][d] = (x[0][d] + x[1][d] + x[2][d] + x[3][d]) / 4;
    at[3][d] = (x[corner][d] + x[(corner + 3) % 4][d]) / 2;
  }
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += (at[k][0] * at[(k + 1) % 4][1] - at[k][1] * at[(k + 1) % 4][0]) / 2;
  return sum;
}

}  // namespace miniapp::test
