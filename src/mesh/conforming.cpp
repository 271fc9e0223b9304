// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/conforming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
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

/// A side of the surface, by its position (mesh/facets.hpp), and the box around it.
struct Patch {
  Patch(const Mesh& mesh, const Corners& corners, Index position_) : position(position_) {
    low = high = mesh.vertices[corners.vertices[0]];
    for (int i = 1; i < corners.size; ++i)
      for (int d = 0; d < 3; ++d) {
        const double x = mesh.vertices[corners.vertices[i]][d];
        low[d] = std::min(low[d], x);
        high[d] = std::max(high[d], x);
      }
    diameter = length(minus(high, low));
    for (int d = 0; d < 3; ++d) {
      low[d] -= touching * diameter;
      high[d] += touching * diameter;
    }
  }

  bool box_has(const Point& point) const {
    int inside = 1;  // without branches
    for (int d = 0; d < 3; ++d) inside &= int(low[d] <= point[d]) & int(point[d] <= high[d]);
    return inside == 1;
  }

  Index position;
  Point low, high;
  double diameter;
};

/// Whether a point lies on a side, but at none of its corners. The side has coordinates (r, s) of [0, 1]:
/// x = c0 + r c1 + s c2 + r s c3.
bool lies_on(const Mesh& mesh, const Corners& corners, double diameter, const Point& point) {
  for (int i = 0; i < corners.size; ++i)
    if (length(minus(point, mesh.vertices[corners.vertices[i]])) <= touching * diameter) return false;
  const auto x = [&](int i) { return mesh.vertices[corners.vertices[i]]; };
  const Point origin = x(0), last = corners.size == 4 ? x(3) : corners.size == 3 ? x(2) : origin;
  const Point c1 = minus(x(1), origin), c2 = minus(last, origin);
  const Point c3 = corners.size == 4 ? minus(minus(x(2), last), c1) : Point{};
  const Point goal = minus(point, origin);
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

struct Vertex {
  Point point;
  Index number;
};

/// Calls visit(vertex, patch) for the vertices in the box of each patch: halves the vertices by x, y, z in turn and
/// takes along the patches that reach into each half. O(sqrt(n) + found) per patch in the plane, O(n^(2/3) + found) in
/// space.
template <class Visit>
void for_vertices_in_patches(std::span<Vertex> vertices, std::span<const Patch* const> patches, int d,
                             const Visit& visit) {
  if (patches.empty()) return;
  if (vertices.size() <= 8) {
    for (const Vertex& vertex : vertices)
      for (const Patch* const patch : patches)
        if (patch->box_has(vertex.point)) visit(vertex, *patch);
    return;
  }
  const std::size_t middle = vertices.size() / 2;
  std::nth_element(vertices.begin(), vertices.begin() + std::ptrdiff_t(middle), vertices.end(),
                   [&](const Vertex& a, const Vertex& b) { return a.point[d] < b.point[d]; });
  const double at = vertices[middle].point[d];
  std::vector<const Patch*> part;
  part.reserve(patches.size());
  const auto follow = [&](std::span<Vertex> half, const auto& reaches) {
    part.clear();
    std::copy_if(patches.begin(), patches.end(), std::back_inserter(part), reaches);
    for_vertices_in_patches(half, part, (d + 1) % 3, visit);
  };
  follow(vertices.first(middle), [&](const Patch* patch) { return patch->low[d] <= at; });
  follow(vertices.subspan(middle), [&](const Patch* patch) { return patch->high[d] >= at; });
}

/// Vertices of the surface that lie on a side of it: the neighbour has no such vertex, and the cells do not fit.
void require_no_hanging_vertex(const Mesh& mesh, const std::vector<Index>& opposite) {
  std::vector<Patch> patches;
  std::vector<Vertex> vertices;
  std::vector<bool> listed(mesh.vertices.size(), false);
  for (std::size_t position = 0; position < opposite.size(); ++position) {
    if (opposite[position] >= 0) continue;
    const Corners corners = corners_of(mesh, static_cast<Index>(position));
    patches.emplace_back(mesh, corners, static_cast<Index>(position));
    for (int i = 0; i < corners.size; ++i) {
      const Index vertex = corners.vertices[i];
      if (listed[vertex]) continue;
      listed[vertex] = true;
      vertices.push_back({mesh.vertices[vertex], vertex});
    }
  }
  std::vector<const Patch*> all;
  for (const Patch& patch : patches) all.push_back(&patch);
  for_vertices_in_patches(
      std::span(vertices), std::span<const Patch* const>(all), 0, [&](const Vertex& vertex, const Patch& patch) {
        const Corners corners = corners_of(mesh, patch.position);
        const Index* const end = corners.vertices + corners.size;
        if (std::find(corners.vertices, end, vertex.number) < end) return;
        if (!lies_on(mesh, corners, patch.diameter, vertex.point)) return;
        const auto& [x, y, z] = vertex.point;
        throw InputError(
            fmt::format("vertex {} of the mesh, ({:g}, {:g}, {:g}), lies inside a side of cell {}, which does not have "
                        "it; accepted are cells that share whole sides",
                        vertex.number + 1, x, y, z, patch.position / cell(mesh.kind).num_sides() + 1));
      });
}

}  // namespace

void require_conforming(const Mesh& mesh) { require_no_hanging_vertex(mesh, opposite_sides(mesh)); }

}  // namespace miniapp::mesh
