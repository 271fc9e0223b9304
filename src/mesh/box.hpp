// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The bounding box of a mesh [m], of a distributed one of all parts: made on all ranks then.
struct Box {
  Point low{}, high{};

  explicit Box(const Mesh& mesh) {
    if (!mesh.vertices.empty()) low = high = mesh.vertices[0];
    const HostRanges ranges(mesh.vertices.size());
    std::vector<Point> lows(ranges.count(), low), highs(ranges.count(), high);
    ranges.for_each([&](int range) {
      for (std::size_t v = ranges.begin(range); v < ranges.end(range); ++v)
        widen(lows[range], highs[range], mesh.vertices[v], mesh.vertices[v]);
    });
    for (int range = 0; range < ranges.count(); ++range) widen(low, high, lows[range], highs[range]);
    mesh.part.ranks.reduce(Reduction::min, low.data(), 3);
    mesh.part.ranks.reduce(Reduction::max, high.data(), 3);
  }
  double side(int d) const { return high[d] - low[d]; }
  /// The place of x along direction d, from 0 at the lowest vertex to 1 at the highest.
  double relative(const Point& x, int d) const { return (x[d] - low[d]) / side(d); }

 private:
  /// Makes the box [from, to] hold the other one.
  static void widen(Point& from, Point& to, const Point& other_from, const Point& other_to) {
    for (int d = 0; d < 3; ++d) {
      from[d] = std::min(from[d], other_from[d]);
      to[d] = std::max(to[d], other_to[d]);
    }
  }
};

}  // namespace miniapp::mesh
