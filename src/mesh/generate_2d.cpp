// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/generate_2d.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "mesh/cut.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/mesh/generate.hpp"

namespace miniapp::mesh {
namespace {

constexpr double growth = 40;  // largest / smallest size along a line: that of the radius, so that cells stay square

void require_sizes(const std::string& mesh, std::array<int, 2> sizes, std::array<int, 2> least,
                   std::int64_t elements_per_cell) {
  const std::string found = mesh + " of " + std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " cells: ";
  require(sizes[0] >= least[0] && sizes[1] >= least[1],
          found + "accepted are at least " + std::to_string(least[0]) + " x " + std::to_string(least[1]));
  const std::int64_t elements = elements_per_cell * sizes[0] * sizes[1], vertices = (sizes[0] + 1LL) * (sizes[1] + 1LL);
  require(std::max(elements, vertices) <= std::numeric_limits<Index>::max(),
          found + "accepted are at most 2^31 - 1 elements and vertices");
}

/// The triangles of a square with these corners, counter-clockwise. `place`: i + j; diagonals alternate.
std::array<Index, 6> halve(std::int64_t place, Index a, Index b, Index c, Index d) {
  if (place % 2 == 0) return {a, b, c, a, c, d};
  return {a, b, d, b, c, d};
}

/// A layer of hexahedra whose lower sides are these squares, with the vertices of the lower sides alone.
Mesh make_layer(const std::array<int, 2>& sides, const std::vector<std::int64_t>& squares, const Communicator& ranks) {
  Mesh layer = make_box_part({sides[0], sides[1], 1}, squares, ranks);
  const std::size_t vertices = layer.vertices.size() / 2;  // the lower half comes first
  layer.vertices.resize(vertices);
  layer.part.vertices.resize(vertices);
  return layer;
}

/// The line of vertices i of an O-grid: its ends at the wall and at the circle.
struct Ray {
  Point wall, far;
};
Ray o_grid_ray(int around, int i) {
  const double angle = 2 * std::numbers::pi * i / around, x = (1 + std::cos(angle)) / 2;
  const double y = 2 * i <= around ? naca_0012(x) : -naca_0012(x);
  return {{x, y, 0}, {0.5 + far_field_radius * std::cos(angle), far_field_radius * std::sin(angle), 0}};
}

/// Where ring j lies on these lines: 0 at the wall, 1 at the circle.
double o_grid_ring(int outwards, int j) { return (std::pow(growth, double(j) / outwards) - 1) / (growth - 1); }

Point o_grid_vertex(const Ray& ray, double s) {
  return {(1 - s) * ray.wall[0] + s * ray.far[0], (1 - s) * ray.wall[1] + s * ray.far[1], 0};
}

/// The vertices of its element e, counter-clockwise.
std::array<std::int64_t, 4> o_grid_corners(const std::array<int, 2>& sides, std::int64_t e) {
  const std::int64_t around = sides[0], i = e % around, inner = e - i, outer = inner + around, next = (i + 1) % around;
  return {inner + i, outer + i, outer + next, inner + next};
}

void require_o_grid(const std::array<int, 2>& sides) { require_sizes("an O-grid", sides, {4, 1}, 1); }

}  // namespace

Mesh make_rectangle(CellKind kind, int nx, int ny) {
  require(dimension(kind) == 2, "a rectangle of cells of kind " + name(kind) + ": accepted are " +
                                    name(CellKind::triangle) + ", " + name(CellKind::quadrilateral));
  const bool halved = kind == CellKind::triangle;
  require_sizes("a rectangle", {nx, ny}, {1, 1}, halved ? 2 : 1);
  const std::size_t row = nx + std::size_t(1);
  const int cells = halved ? 2 : 1;
  Mesh mesh{make_large<Point>(row * (ny + std::size_t(1))), Map(std::size_t(nx) * ny * cells, num_vertices(kind)),
            kind};
  const auto add_row = [&](std::size_t j) {
    for (int i = 0; i <= nx; ++i) mesh.vertices[j * row + i] = {double(i) / nx, double(j) / ny, 0};
    Index* to = j < std::size_t(ny) ? mesh.element_to_vertex[j * nx * cells] : nullptr;
    for (int i = 0; to && i < nx; ++i) {
      const auto a = static_cast<Index>(j * row + i), b = a + 1, d = a + nx + 1, c = d + 1;  // counter-clockwise
      const std::array halves = halve(static_cast<std::int64_t>(j) + i, a, b, c, d);
      const std::array whole{a, b, c, d};
      to = halved ? std::copy(halves.begin(), halves.end(), to) : std::copy(whole.begin(), whole.end(), to);
    }
  };
  for_host(ny + std::size_t(1), add_row, (1 << 14) / row + 1);
  return mesh;
}

Mesh make_triangle_part(const std::array<int, 2>& sides, const std::vector<std::int64_t>& squares,
                        const Communicator& ranks) {
  Mesh layer = make_layer(sides, squares, ranks);
  Mesh mesh{std::move(layer.vertices), Map(2 * squares.size(), 3), CellKind::triangle, {}, cut(layer.part, 2)};
  auto to = mesh.element_to_vertex.entries.begin();
  for (std::size_t e = 0; e < squares.size(); ++e) {
    const Index* const v = layer.element_to_vertex[e];
    const std::array halves = halve(squares[e] % sides[0] + squares[e] / sides[0], v[0], v[1], v[3], v[2]);
    to = std::copy(halves.begin(), halves.end(), to);
  }
  return mesh;
}

Mesh make_quadrilateral_part(const std::array<int, 2>& sides, const std::vector<std::int64_t>& squares,
                             const Communicator& ranks) {
  Mesh layer = make_layer(sides, squares, ranks);
  Mesh mesh{std::move(layer.vertices), Map(squares.size(), 4), CellKind::quadrilateral, {}, std::move(layer.part)};
  for (std::size_t e = 0; e < squares.size(); ++e) {
    const Index* const v = layer.element_to_vertex[e];
    const std::array around{v[0], v[1], v[3], v[2]};
    std::copy(around.begin(), around.end(), mesh.element_to_vertex[e]);
  }
  return mesh;
}

double naca_0012(double x) {
  return 0.6 * (0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - 0.1036 * x))));
}

Mesh make_o_grid(int around, int outwards) {
  const std::array<int, 2> sides{around, outwards};
  require_o_grid(sides);
  Mesh mesh{make_large<Point>(std::size_t(around) * (outwards + std::size_t(1))),
            Map(std::size_t(around) * outwards, 4), CellKind::quadrilateral};
  std::vector<Ray> rays(around);
  for (int i = 0; i < around; ++i) rays[i] = o_grid_ray(around, i);
  const auto add_ring = [&](std::size_t j) {
    const double s = o_grid_ring(outwards, static_cast<int>(j));
    for (int i = 0; i < around; ++i) mesh.vertices[j * around + i] = o_grid_vertex(rays[i], s);
  };
  for_host(outwards + std::size_t(1), add_ring, (1 << 14) / around + 1);
  for_host(mesh.num_elements(), [&](std::size_t e) {
    const std::array<std::int64_t, 4> corners = o_grid_corners(sides, static_cast<std::int64_t>(e));
    std::copy(corners.begin(), corners.end(), mesh.element_to_vertex[e]);
  });
  return mesh;
}

Mesh make_o_grid_part(const std::array<int, 2>& sides, const std::vector<std::int64_t>& elements,
                      const Communicator& ranks) {
  require_o_grid(sides);
  Mesh mesh{{}, Map(elements.size(), 4), CellKind::quadrilateral, {}, {ranks, {}, elements}};
  std::vector<std::int64_t>& vertices = mesh.part.vertices;
  for (const std::int64_t e : elements)
    for (const std::int64_t v : o_grid_corners(sides, e)) vertices.push_back(v);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (const std::int64_t v : vertices)
    mesh.vertices.push_back(o_grid_vertex(o_grid_ray(sides[0], static_cast<int>(v % sides[0])),
                                          o_grid_ring(sides[1], static_cast<int>(v / sides[0]))));
  for (std::size_t e = 0; e < elements.size(); ++e) {
    Index* to = mesh.element_to_vertex[e];
    for (const std::int64_t v : o_grid_corners(sides, elements[e]))
      *to++ = static_cast<Index>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  }
  return mesh;
}

std::array<int, 2> o_grid_sides(int cells) {
  require(cells >= 1, "an O-grid of " + std::to_string(cells) + " cells: accepted is at least 1");
  const double square = std::log(growth) / (2 * std::numbers::pi);  // outwards / around where 1 + 2 pi / around grow
  const int outwards = std::max(1, static_cast<int>(std::lround(std::sqrt(cells * square))));
  const int around = 2 * std::max(2, static_cast<int>(std::lround(cells / (2. * outwards))));
  return {around, outwards};
}

}  // namespace miniapp::mesh
