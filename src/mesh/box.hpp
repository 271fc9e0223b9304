// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The bounding box of a mesh [m], of a distributed one of all parts: made on all ranks then.
struct Box {
  Point low{}, high{};

  explicit Box(const Mesh& mesh) {
    if (!mesh.vertices.empty()) low = high = mesh.vertices[0];
    for (const Point& x : mesh.vertices) {
      for (int d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
      }
    }
    mesh.part.ranks.reduce(Reduction::min, low.data(), 3);
    mesh.part.ranks.reduce(Reduction::max, high.data(), 3);
  }
  double side(int d) const { return high[d] - low[d]; }
  /// The place of x along direction d, from 0 at the lowest vertex to 1 at the highest.
  double relative(const Point& x, int d) const { return (x[d] - low[d]) / side(d); }
};

}  // namespace miniapp::mesh
