// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {
namespace {

/// Parallelepipeds have constant tangents, boxes at right angles, where coordinates are rounded to their own size.
Shape shape_of(const Trilinear& map) {
  double size = 0;
  for (const Point& coefficient : map)
    for (const double x : coefficient) size = std::max(size, std::abs(x));
  const double tolerance = 8 * std::numeric_limits<double>::epsilon() * size;
  for (const int q : {3, 5, 6, 7})  // of products of r, s and t
    for (const double x : map[q])
      if (!(std::abs(x) <= tolerance)) return Shape::general;
  constexpr int tangents[] = {1, 2, 4, 1};
  for (int a = 0; a < 3; ++a) {
    const Point &x = map[tangents[a]], &y = map[tangents[a + 1]];
    double product = 0, lengths = 0;
    for (int d = 0; d < 3; ++d) {
      product += x[d] * y[d];
      lengths += std::abs(x[d]) + std::abs(y[d]);
    }
    if (!(std::abs(product) <= tolerance * lengths)) return Shape::parallelepipeds;
  }
  return Shape::boxes;
}

}  // namespace

Shape common_shape(const Mesh& mesh) {
  if (mesh.kind != CellKind::hexahedron || !mesh.curved.empty()) return Shape::general;
  std::atomic<bool> has_general = false, has_oblique = false;
  const HostRanges ranges(mesh.num_elements());
  ranges.for_each([&](int range) {
    for (std::size_t e = ranges.begin(range); e < ranges.end(range) && !has_general; ++e) {
      const Shape shape = shape_of(trilinear(mesh, e));
      if (shape == Shape::general) has_general = true;
      if (shape == Shape::parallelepipeds) has_oblique = true;
    }
  });
  return has_general ? Shape::general : has_oblique ? Shape::parallelepipeds : Shape::boxes;
}

}  // namespace miniapp::mesh
