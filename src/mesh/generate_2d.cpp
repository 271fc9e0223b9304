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

/// Vertex i of ring j of an O-grid.
Point o_grid_vertex(const std::array<int, 2>& sides, int i, int j) {
  const auto [around, outwards] = sides;
  const double s = (std::pow(growth, double(j) / outwards) - 1) / (growth - 1);  // 0 at the wall, 1 at the circle
  const double angle = 2 * std::numbers::pi * i / around, x = (1 + std::cos(angle)) / 2;
  const double y = 2 * i <= around ? naca_0012(x) : -naca_0012(x);
  const double far_x = 0.5 + far_field_radius * std::cos(angle), far_y = far_field_radius * std::sin(angle);
  return {(1 - s) * x + s * far_x, (1 - s) * y + s * far_y, 0};
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
  Mesh mesh{{}, Map(std::size_t(nx) * ny * (halved ? 2 : 1), num_vertices(kind)), kind};
  mesh.vertices.reserve((nx + std::size_t(1)) * (ny + std::size_t(1)));
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) mesh.vertices.push_back({double(i) / nx, double(j) / ny, 0});
  auto to = mesh.element_to_vertex.entries.begin();
  const auto add = [&](const auto& vertices) { to = std::copy(vertices.begin(), vertices.end(), to); };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const Index a = j * (nx + 1) + i, b = a + 1, d = a + nx + 1, c = d + 1;  // counter-clockwise
      if (halved)
        add(halve(i + j, a, b, c, d));
      else
        add(std::array{a, b, c, d});
    }
  }
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
  Mesh mesh{{}, Map(std::size_t(around) * outwards, 4), CellKind::quadrilateral};
  mesh.vertices.reserve(std::size_t(around) * (outwards + std::size_t(1)));
  for (int j = 0; j <= outwards; ++j)
    for (int i = 0; i < around; ++i) mesh.vertices.push_back(o_grid_vertex(sides, i, j));
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const std::array<std::int64_t, 4> corners = o_grid_corners(sides, static_cast<std::int64_t>(e));
    std::copy(corners.begin(), corners.end(), mesh.element_to_vertex[e]);
  }
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
    mesh.vertices.push_back(o_grid_vertex(sides, static_cast<int>(v % sides[0]), static_cast<int>(v / sides[0])));
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
