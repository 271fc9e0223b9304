// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/generate_2d.hpp"

#include <set>

#include "support/all_close.hpp"
#include "support/meshes.hpp"
#include "support/plane.hpp"

using mesh::CellKind;

namespace {

/// Half the thickness by the formula as it is printed: 5 t (...) with t = 0.12.
double half_thickness(double x) {
  return 5 * 0.12 * (0.2969 * std::sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x - 0.1036 * x * x * x * x);
}

/// Area inside the closed polygon of vertices [begin, begin + size) [m^2].
double polygon_area(const mesh::Mesh &mesh, int begin, int size) {
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    const mesh::Point &p = mesh.vertices[begin + i], &q = mesh.vertices[begin + (i + 1) % size];
    sum += (p[0] * q[1] - p[1] * q[0]) / 2;
  }
  return sum;
}

}  // namespace

TEST_CASE("A rectangle fills the unit square with equal cells", "[mesh][generate_2d]") {
  const auto [nx, ny] = GENERATE(table<int, int>({{1, 1}, {7, 3}, {1, 33}}));
  const CellKind kind = GENERATE(CellKind::triangle, CellKind::quadrilateral);
  const int cells = kind == CellKind::triangle ? 2 * nx * ny : nx * ny;

  const mesh::Mesh mesh = mesh::make_rectangle(kind, nx, ny);

  CHECK(mesh.kind == kind);
  CHECK(mesh.element_to_vertex.arity == mesh::num_vertices(kind));
  CHECK(int(mesh.num_elements()) == cells);
  CHECK(int(mesh.vertices.size()) == (nx + 1) * (ny + 1));
  CHECK(area(mesh) == close<double>(1, cells));
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) CHECK(area(mesh, e) == close<double>(1.0 / cells, 8, 1));
}

TEST_CASE("Diagonals of a rectangle's triangles alternate: inner vertices meet four or eight triangles",
          "[mesh][generate_2d]") {
  const int nx = 6, ny = 5;
  const mesh::Mesh mesh = mesh::make_rectangle(CellKind::triangle, nx, ny);

  for (int j = 1; j < ny; ++j)
    for (int i = 1; i < nx; ++i)
      CHECK(std::count(mesh.element_to_vertex.entries.begin(), mesh.element_to_vertex.entries.end(),
                       j * (nx + 1) + i) == ((i + j) % 2 ? 4 : 8));
}

TEST_CASE("A perturbation of a plane mesh moves inner vertices in the plane by less than its amplitude",
          "[mesh][generate_2d]") {
  const CellKind kind = GENERATE(CellKind::triangle, CellKind::quadrilateral);
  const int n = 5;
  const mesh::Mesh plain = mesh::make_rectangle(kind, n, n);
  mesh::Mesh mesh = plain;

  mesh::perturb(mesh, 0.15, 3);

  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const mesh::Point &x = plain.vertices[v], &y = mesh.vertices[v];
    const double moved = distance(x, y);
    if (std::min({x[0], 1 - x[0], x[1], 1 - x[1]}) == 0)
      CHECK(moved == 0);
    else
      CHECK((moved > 0 && moved <= 0.15 / n && y[2] == 0));
  }
  CHECK(area(mesh) == close<double>(1, 64));
}

TEST_CASE("The aerofoil has the thickness of NACA 0012 and closes at both ends", "[mesh][generate_2d]") {
  for (int i = 0; i <= 20; ++i) CHECK(mesh::naca_0012(i / 20.) == close<double>(half_thickness(i / 20.), 16, 1));
  CHECK(mesh::naca_0012(0) == 0);
  CHECK(mesh::naca_0012(1) == close<double>(0, 16, 1));
  CHECK(std::fabs(mesh::naca_0012(0.3) - 0.06) < 1e-4);  // the greatest thickness, 12 % of the chord
}

TEST_CASE("The O-grid lies between the aerofoil and the circle", "[mesh][generate_2d]") {
  const int around = GENERATE(14, 9), outwards = 5;
  const mesh::Mesh mesh = mesh::make_o_grid(around, outwards);

  CHECK(int(mesh.num_elements()) == around * outwards);
  REQUIRE(int(mesh.vertices.size()) == around * (outwards + 1));
  for (int i = 0; i < around; ++i) {
    const mesh::Point wall = mesh.vertices[i], far = mesh.vertices[around * outwards + i];
    CHECK(std::fabs(wall[1]) == close<double>(half_thickness(wall[0]), 16, 1));
    CHECK(((wall[1] > 0) == (2 * i < around) || std::fabs(wall[1]) <= tolerance<double>(16, 1)));
    CHECK(wall[0] == close<double>((1 + std::cos(2 * std::numbers::pi * i / around)) / 2, 4, 1));
    CHECK(std::hypot(far[0] - 0.5, far[1]) == close<double>(mesh::far_field_radius, 4));
  }
  CHECK(area(mesh) == close<double>(polygon_area(mesh, around * outwards, around) - polygon_area(mesh, 0, around),
                                    around * outwards));
}

TEST_CASE("All cells of an O-grid are convex and counter-clockwise", "[mesh][generate_2d]") {
  const auto [around, outwards] = GENERATE(table<int, int>({{4, 1}, {5, 3}, {14, 9}, {101, 70}, {1108, 650}}));
  const mesh::Mesh mesh = mesh::make_o_grid(around, outwards);

  int wrong = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) wrong += !is_convex(mesh, e);

  CHECK(wrong == 0);
}

TEST_CASE("Cells of an O-grid grow geometrically outwards", "[mesh][generate_2d]") {
  const int around = 12, outwards = 6;
  const mesh::Mesh mesh = mesh::make_o_grid(around, outwards);

  for (int j = 1; j < outwards; ++j) {
    const auto x = [&](int ring) { return mesh.vertices[ring * around][0]; };  // the line behind the trailing edge
    CHECK((x(j + 1) - x(j)) / (x(j) - x(j - 1)) == close<double>(std::pow(40, 1. / outwards), 64, 40));
  }
}

TEST_CASE("The sides of an O-grid give about the number of cells that was asked for", "[mesh][generate_2d]") {
  const int cells = GENERATE(1000, 8191, 720000, 8400000, 100000000);

  const auto [around, outwards] = mesh::o_grid_sides(cells);

  CHECK(std::fabs(double(around) * outwards / cells - 1) < 0.02);
  CHECK(around % 2 == 0);
  CHECK(mesh::o_grid_sides(720000) == std::array<int, 2>{1108, 650});
}

TEST_CASE("The least O-grids can be made", "[mesh][generate_2d]") {
  for (int cells = 1; cells <= 50; ++cells) {
    const auto [around, outwards] = mesh::o_grid_sides(cells);
    CHECK(area(mesh::make_o_grid(around, outwards)) > 0);
  }
}

TEST_CASE("Sizes that no plane mesh can have are bad input", "[mesh][generate_2d]") {
  CHECK_THROWS_AS(mesh::make_rectangle(CellKind::triangle, 0, 1), InputError);
  CHECK_THROWS_WITH(mesh::make_rectangle(CellKind::quadrilateral, 3, -1), contains("3 x -1") && contains("1 x 1"));
  CHECK_THROWS_WITH(mesh::make_rectangle(CellKind::hexahedron, 1, 1), contains("hexahedron"));
  CHECK_THROWS_WITH(mesh::make_rectangle(CellKind::triangle, 40000, 40000), contains("2^31 - 1"));
  CHECK_THROWS_WITH(mesh::make_o_grid(3, 1), contains("at least 4 x 1"));
  CHECK_THROWS_AS(mesh::make_o_grid(4, 0), InputError);
  CHECK_THROWS_WITH(mesh::make_o_grid(2147483647, 2147483647), contains("2^31 - 1"));
  CHECK_THROWS_AS(mesh::o_grid_sides(0), InputError);
}
