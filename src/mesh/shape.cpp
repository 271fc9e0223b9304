// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {
namespace {

constexpr int tangents[] = {1, 2, 4};  ///< the coefficients of r, s and t

/// Half of the least distance of two opposite sides, 1 / |grad r_a|.
double least_height(const Trilinear& map) {
  double J[3][3], inverse[3][3], largest = 0;
  for (int d = 0; d < 3; ++d)
    for (int a = 0; a < 3; ++a) J[d][a] = map[tangents[a]][d];
  invert(J, inverse);
  for (const auto& gradient : inverse) largest = std::max(largest, std::hypot(gradient[0], gradient[1], gradient[2]));
  return 1 / largest;
}

CommonShape shape_of(const Trilinear& map) {
  double size = 0, twist = 0;
  for (const Point& coefficient : map)
    for (const double x : coefficient) size = std::max(size, std::abs(x));
  const double tolerance = 8 * std::numeric_limits<double>::epsilon() * size;
  for (const int q : {3, 5, 6, 7})  // of products of r, s and t
    for (const double x : map[q]) {
      if (!(std::abs(x) <= tolerance)) return {};
      twist += std::abs(x);
    }
  const double twisted = twist / least_height(map);
  double oblique = 0;  // cosines of the angles of edges
  for (int a = 0; a < 3; ++a) {
    const Point &x = map[tangents[a]], &y = map[tangents[(a + 1) % 3]];
    double product = 0, lengths = 0, x2 = 0, y2 = 0;
    for (int d = 0; d < 3; ++d) {
      product += x[d] * y[d];
      lengths += std::abs(x[d]) + std::abs(y[d]);
      x2 += x[d] * x[d];
      y2 += y[d] * y[d];
    }
    if (!(std::abs(product) <= tolerance * lengths)) return {Shape::parallelepipeds, twisted};
    oblique += std::abs(product) / std::sqrt(x2 * y2);
  }
  return {Shape::boxes, twisted + oblique};
}

/// What both are.
CommonShape common(const CommonShape& a, const CommonShape& b) {
  const Shape shape = std::min(a.shape, b.shape);
  return {shape, shape == Shape::general ? 0 : std::max(a.rounding, b.rounding)};
}

}  // namespace

CommonShape common_shape(const Mesh& mesh) {
  CommonShape all{Shape::boxes, 0};
  if (mesh.kind != CellKind::hexahedron || !mesh.curved.empty()) all = {};
  std::atomic<bool> is_general = all.shape == Shape::general;
  const HostRanges ranges(mesh.num_elements());
  std::vector<CommonShape> parts(ranges.count(), all);
  ranges.for_each([&](int range) {
    CommonShape part = parts[range];
    for (std::size_t e = ranges.begin(range); e < ranges.end(range) && !is_general; ++e) {
      part = common(part, shape_of(trilinear(mesh, e)));
      if (part.shape == Shape::general) is_general = true;
    }
    parts[range] = part;
  });
  for (const CommonShape& part : parts) all = common(all, part);
  const auto least = mesh.part.ranks.of_all(Reduction::min, static_cast<std::int64_t>(all.shape));
  return common({static_cast<Shape>(least), mesh.part.ranks.of_all(Reduction::max, all.rounding)}, all);
}

}  // namespace miniapp::mesh
