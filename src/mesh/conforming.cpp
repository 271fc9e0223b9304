// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/conforming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "mesh/facets.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

/// How near to a side, in multiples of its diameter, a vertex lies on it: files have six digits or more.
constexpr double touching = 1e-6;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Point& a) { return std::sqrt(dot(a, a)); }

/// Points by their places: a balanced tree of the dimensions, one after the other, in an array.
class PointTree {
 public:
  PointTree(const std::vector<Point>& points, const std::vector<Index>& of) {
    for (const Index number : of) nodes_.push_back({points[number], number});
    build(0, nodes_.size(), 0);
  }

  /// Calls visit(number, point) for the points of a box. O(sqrt(n) + found) in the plane, O(n^(2/3) + found) in space.
  template <class Visit>
  void for_points_in(const Point& low, const Point& high, const Visit& visit) const {
    search(0, nodes_.size(), 0, low, high, visit);
  }

 private:
  static constexpr std::size_t leaf = 8;  // so many points are looked at one after the other

  struct Node {
    Point point;
    Index number;
  };

  void build(std::size_t begin, std::size_t end, int d) {
    if (end - begin <= leaf) return;
    const std::size_t middle = (begin + end) / 2;
    const auto first = nodes_.begin();
    std::nth_element(first + std::ptrdiff_t(begin), first + std::ptrdiff_t(middle), first + std::ptrdiff_t(end),
                     [&](const Node& a, const Node& b) { return a.point[d] < b.point[d]; });
    build(begin, middle, (d + 1) % 3);
    build(middle + 1, end, (d + 1) % 3);
  }

  template <class Visit>
  void search(std::size_t begin, std::size_t end, int d, const Point& low, const Point& high,
              const Visit& visit) const {
    const auto look_at = [&](const Node& node) {
      bool inside = true;
      for (int e = 0; e < 3; ++e) inside = inside && low[e] <= node.point[e] && node.point[e] <= high[e];
      if (inside) visit(node.number, node.point);
    };
    if (end - begin <= leaf) {
      for (std::size_t at = begin; at < end; ++at) look_at(nodes_[at]);
      return;
    }
    const std::size_t middle = (begin + end) / 2;
    const Node& node = nodes_[middle];
    if (node.point[d] >= low[d]) search(begin, middle, (d + 1) % 3, low, high, visit);
    look_at(node);
    if (node.point[d] <= high[d]) search(middle + 1, end, (d + 1) % 3, low, high, visit);
  }

  std::vector<Node> nodes_;
};

/// A side of the surface with coordinates (r, s) of [0, 1]: x = c0 + r c1 + s c2 + r s c3.
struct Patch {
  explicit Patch(const Mesh& mesh, const Corners& corners_) : corners(corners_) {
    const auto x = [&](int i) { return mesh.vertices[corners.vertices[i]]; };
    const Point origin = x(0), last = corners.size == 4 ? x(3) : corners.size == 3 ? x(2) : origin;
    c1 = minus(x(1), origin);
    c2 = minus(last, origin);
    c3 = corners.size == 4 ? minus(minus(x(2), last), c1) : Point{};
    low = high = origin;
    for (int i = 1; i < corners.size; ++i)
      for (int d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], x(i)[d]);
        high[d] = std::max(high[d], x(i)[d]);
      }
    diameter = length(minus(high, low));
    for (int d = 0; d < 3; ++d) {
      low[d] -= touching * diameter;
      high[d] += touching * diameter;
    }
  }

  /// Whether a point lies on the patch, but at none of its corners.
  bool has(const Mesh& mesh, const Point& point) const {
    for (int i = 0; i < corners.size; ++i)
      if (length(minus(point, mesh.vertices[corners.vertices[i]])) <= touching * diameter) return false;
    const Point goal = minus(point, mesh.vertices[corners.vertices[0]]);
    double r = 0.5, s = corners.size > 2 ? 0.5 : 0;
    Point rest = goal;
    for (int step = 0; step < (corners.size == 4 ? 20 : 2); ++step) {  // least squares; one step where c3 = 0
      Point along_r, along_s;
      for (int d = 0; d < 3; ++d) {
        rest[d] = goal[d] - r * c1[d] - s * c2[d] - r * s * c3[d];
        along_r[d] = c1[d] + s * c3[d];
        along_s[d] = c2[d] + r * c3[d];
      }
      const double rr = dot(along_r, along_r), rs = dot(along_r, along_s), ss = dot(along_s, along_s);
      if (corners.size == 2) {
        r += dot(along_r, rest) / rr;
        continue;
      }
      const double determinant = rr * ss - rs * rs, br = dot(along_r, rest), bs = dot(along_s, rest);
      if (!(determinant > 0)) return false;
      r += (ss * br - rs * bs) / determinant;
      s += (rr * bs - rs * br) / determinant;
    }
    for (int d = 0; d < 3; ++d) rest[d] = goal[d] - r * c1[d] - s * c2[d] - r * s * c3[d];
    const double most = 1 + touching, least = -touching;
    return length(rest) <= touching * diameter && r >= least && s >= least &&
           (corners.size == 4 ? r <= most && s <= most : r + s <= most);
  }

  Corners corners;
  Point c1, c2, c3, low, high;
  double diameter;
};

/// Vertices of the surface that lie on a side of it: the neighbour has no such vertex, and the cells do not fit.
void require_no_hanging_vertex(const Mesh& mesh, const std::vector<Facet>& facets) {
  std::vector<Index> surface;
  std::vector<bool> listed(mesh.vertices.size(), false);
  for (const Facet& facet : facets) {
    if (facet.second >= 0) continue;
    const Corners corners = corners_of(mesh, facet.first);
    for (int i = 0; i < corners.size; ++i) {
      if (listed[corners.vertices[i]]) continue;
      listed[corners.vertices[i]] = true;
      surface.push_back(corners.vertices[i]);
    }
  }
  const PointTree tree(mesh.vertices, surface);
  for (const Facet& facet : facets) {
    if (facet.second >= 0) continue;
    const Patch patch(mesh, corners_of(mesh, facet.first));
    tree.for_points_in(patch.low, patch.high, [&](Index vertex, const Point& point) {
      const Index* const corners = patch.corners.vertices;
      if (std::find(corners, corners + patch.corners.size, vertex) < corners + patch.corners.size) return;
      if (!patch.has(mesh, point)) return;
      const auto& [x, y, z] = point;
      throw InputError(
          fmt::format("vertex {} of the mesh, ({:g}, {:g}, {:g}), lies inside a side of cell {}, which does not have "
                      "it; accepted are cells that share whole sides",
                      vertex + 1, x, y, z, facet.first / cell(mesh.kind).num_sides() + 1));
    });
  }
}

}  // namespace

void require_conforming(const Mesh& mesh) { require_no_hanging_vertex(mesh, find_facets(mesh)); }

}  // namespace miniapp::mesh
