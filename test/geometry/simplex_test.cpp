// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/simplex.hpp"

#include "miniapp/mesh/generate_2d.hpp"
#include "support/all_close.hpp"
#include "support/tetrahedra.hpp"

namespace {

constexpr double triangle[3][2] = {{0.2, -0.1}, {1.5, 0.3}, {-0.4, 0.9}};
constexpr double tetrahedron[4][3] = {{0.2, -0.1, 0.3}, {1.5, 0.3, 0.1}, {-0.4, 0.9, 0.2}, {0.1, 0.4, 1.7}};

template <class Real, int dim>
void check_inverse(const double (&vertices)[dim + 1][dim]) {
  Real x[dim + 1][dim], inverse[dim][dim];
  for (int v = 0; v <= dim; ++v)
    for (int d = 0; d < dim; ++d) x[v][d] = Real(vertices[v][d]);

  geometry::invert_simplex<dim>(x, inverse);

  for (int a = 0; a < dim; ++a) {
    for (int b = 0; b < dim; ++b) {
      double product = 0;
      for (int d = 0; d < dim; ++d) product += double(inverse[a][d]) * (double(x[b + 1][d]) - x[0][d]);
      CHECK(product == close<Real>(a == b, 9, 1));
    }
  }
}

mesh::Mesh make_mesh(mesh::CellKind kind) {
  mesh::Mesh mesh = kind == mesh::CellKind::triangle ? mesh::make_rectangle(kind, 5, 3) : make_tetrahedra(3, 2, 2);
  mesh::perturb(mesh, 0.1, 2);
  return mesh;
}

}  // namespace

TEST_CASE("The inverse Jacobian of a simplex takes its edges to unit vectors", "[geometry][simplex]") {
  check_inverse<double>(triangle);
  check_inverse<float>(triangle);
  check_inverse<double>(tetrahedron);
  check_inverse<float>(tetrahedron);
}

TEST_CASE("det J of a simplex is its volume over that of the reference, negative when turned over",
          "[geometry][simplex]") {
  double inverse2[2][2], inverse3[3][3];
  const double long_triangle[3][2] = {{1, 1}, {4, 1}, {2, 3}};                   // base 3, height 2
  const double long_cell[4][3] = {{1, 1, 1}, {4, 1, 1}, {2, 3, 1}, {7, -1, 6}};  // the same, height 5
  const double turned_cell[4][3] = {{1, 1, 1}, {2, 3, 1}, {4, 1, 1}, {7, -1, 6}};

  CHECK(geometry::invert_simplex<2>(long_triangle, inverse2) * geometry::reference_volume<2> == Approx(3));
  CHECK(geometry::invert_simplex<3>(long_cell, inverse3) * geometry::reference_volume<3> == Approx(5));
  CHECK(geometry::invert_simplex<3>(turned_cell, inverse3) * geometry::reference_volume<3> == Approx(-5));
}

TEST_CASE("Meshes of simplices with volume everywhere are accepted", "[geometry][simplex]") {
  CHECK_NOTHROW(geometry::require_positive_simplices(make_mesh(mesh::CellKind::triangle)));
  CHECK_NOTHROW(geometry::require_positive_simplices(make_mesh(mesh::CellKind::tetrahedron)));
}

TEST_CASE("Thin simplices are accepted, since their volume is compared with their own edges", "[geometry][simplex]") {
  mesh::Mesh mesh = make_mesh(GENERATE(mesh::CellKind::triangle, mesh::CellKind::tetrahedron));
  for (mesh::Point& x : mesh.vertices) x = {x[0] * 1e-9, x[1] * 1e-3, x[2]};

  CHECK_NOTHROW(geometry::require_positive_simplices(mesh));
}

TEST_CASE("An inverted simplex is rejected with its number", "[geometry][simplex]") {
  mesh::Mesh mesh = make_mesh(GENERATE(mesh::CellKind::triangle, mesh::CellKind::tetrahedron));
  std::swap(mesh.element_to_vertex[9][0], mesh.element_to_vertex[9][1]);
  std::swap(mesh.element_to_vertex[11][0], mesh.element_to_vertex[11][1]);

  CHECK_THROWS_AS(geometry::require_positive_simplices(mesh), InputError);
  CHECK_THROWS_WITH(geometry::require_positive_simplices(mesh), contains("element 9 is inverted"));
}

TEST_CASE("A simplex without volume is rejected though its det J is not zero by rounding", "[geometry][simplex]") {
  mesh::Mesh mesh = make_mesh(GENERATE(mesh::CellKind::triangle, mesh::CellKind::tetrahedron));
  const Index* const v = mesh.element_to_vertex[9];
  for (int d = 0; d < 3; ++d)  // vertex 2 onto the line from 0 to 1
    mesh.vertices[v[2]][d] = (mesh.vertices[v[0]][d] + 2 * mesh.vertices[v[1]][d]) / 3;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)  // the neighbours of the flat cell are of no interest
    if (e != 9) std::copy_n(v, mesh.element_to_vertex.arity, mesh.element_to_vertex[e]);

  CHECK_THROWS_WITH(geometry::require_positive_simplices(mesh), contains("element 0 has no volume beyond rounding"));
}

TEST_CASE("A vertex that is NaN makes its cell wrong", "[geometry][simplex]") {
  mesh::Mesh mesh = make_mesh(mesh::CellKind::tetrahedron);
  mesh.vertices[0][1] = NAN;

  CHECK_THROWS_AS(geometry::require_positive_simplices(mesh), InputError);
}

TEST_CASE("Simplices are triangles and tetrahedra only", "[geometry][simplex]") {
  CHECK_THROWS_WITH(geometry::require_positive_simplices(mesh::make_box(1, 1, 1)),
                    contains("kind hexahedron: accepted are triangles and tetrahedra"));
}
