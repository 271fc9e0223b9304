// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/hexahedron.hpp"

#include <limits>

#include "support/meshes.hpp"
#include "support/vectors.hpp"

namespace {

/// A mesh with elements of many shapes.
mesh::Mesh make_mesh() { return make_turned_box(3, 2, 5); }

std::vector<double> coefficients(const mesh::Mesh& mesh, std::size_t e) {
  const mesh::Trilinear c = mesh::trilinear(mesh, e);
  return {c[0].data(), c[0].data() + 24};
}

/// One element whose map is x = J^T (r, s, t) with the tangents J[0], J[1], J[2].
mesh::Mesh make_parallelepiped(const mesh::Point (&J)[3]) {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d)
      mesh.vertices[v][d] = (v & 1 ? 1 : -1) * J[0][d] + (v & 2 ? 1 : -1) * J[1][d] + (v & 4 ? 1 : -1) * J[2][d];
  return mesh;
}

/// Calls check(element's coefficients, r, s, t) at random points of all elements.
template <class Check>
void for_points(const mesh::Mesh& mesh, const Check& check) {
  const std::vector<double> x = random_numbers(12, 1);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int i = 0; i < 12; i += 3) check(coefficients(mesh, e), x[i], x[i + 1], x[i + 2]);
}

/// The symmetric matrix given by six factors.
struct Matrix3 {
  double m[3][3];
  explicit Matrix3(const double* f) : m{{f[0], f[1], f[2]}, {f[1], f[3], f[4]}, {f[2], f[4], f[5]}} {}
  double minor2() const { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }
  double determinant() const {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  }
};

}  // namespace

TEST_CASE("The device holds the coefficients of every element's map", "[geometry][hexahedron]") {
  const mesh::Mesh mesh = make_mesh();

  const std::vector<double> stored = to_std(geometry::make_trilinear(mesh));

  REQUIRE(stored.size() == 24 * mesh.num_elements());
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    CHECK(std::vector<double>(stored.begin() + 24 * e, stored.begin() + 24 * (e + 1)) == coefficients(mesh, e));
}

TEST_CASE("Tangents are the slopes of the map", "[geometry][hexahedron]") {
  const mesh::Mesh mesh = make_mesh();

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Trilinear map = mesh::trilinear(mesh, e);
    const double at[3] = {0.3, -0.8, 0.55};
    double J[3][3];
    geometry::tangents(map[0].data(), at[0], at[1], at[2], J);
    for (int a = 0; a < 3; ++a) {  // the map is linear in each direction: its slope is a difference
      double high[3] = {at[0], at[1], at[2]}, low[3] = {at[0], at[1], at[2]};
      high[a] = 1;
      low[a] = -1;
      const mesh::Point x = evaluate(map, high[0], high[1], high[2]), y = evaluate(map, low[0], low[1], low[2]);
      for (int d = 0; d < 3; ++d) CHECK(J[a][d] == close<double>((x[d] - y[d]) / 2, 8, 5));
    }
  }
}

TEST_CASE("The cross product is normal to its factors and right-handed", "[geometry][hexahedron]") {
  const double a[3] = {1, 2, 3}, b[3] = {-4, 5, 0.5}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  double c[3], z[3];

  geometry::cross(a, b, c);
  geometry::cross(x, y, z);

  CHECK(geometry::dot(a, c) == 0);
  CHECK(geometry::dot(b, c) == 0);
  CHECK((z[0] == 0 && z[1] == 0 && z[2] == 1));
}

TEST_CASE("Factors of a sheared box are those computed by hand", "[geometry][hexahedron]") {
  // x = 2 r + s, y = 4 s + t, z = t: det J = 8, J^-T has the rows (1/2, -1/8, 1/8), (0, 1/4, -1/4), (0, 0, 1)
  const mesh::Mesh mesh = make_parallelepiped({{2, 0, 0}, {1, 4, 0}, {0, 1, 1}});
  const double w = 0.5, scale = w * 8;
  const std::vector<double> expected{scale * 9 / 32, scale * -1 / 16, scale * 1 / 8, scale * 1 / 8,
                                     scale * -1 / 4, scale,           scale};
  double f[geometry::num_factors];

  geometry::factors(coefficients(mesh, 0).data(), 0.1, -0.7, 0.4, w, f);

  CHECK_THAT(values(std::vector<double>(f, f + 7)), all_close<double>(values(expected), 8));
}

TEST_CASE("G times the metric tensor of the tangents is w det J", "[geometry][hexahedron]") {
  for_points(make_mesh(), [](const std::vector<double>& K, double r, double s, double t) {
    double f[geometry::num_factors], J[3][3];
    geometry::factors(K.data(), r, s, t, 0.7, f);
    geometry::tangents(K.data(), r, s, t, J);
    const Matrix3 G(f);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        double product = 0;
        for (int c = 0; c < 3; ++c) product += G.m[a][c] * geometry::dot(J[c], J[b]);
        CHECK(product == close<double>(a == b ? f[6] : 0, 64, 1));
      }
    }
  });
}

TEST_CASE("G is symmetric positive definite and W positive", "[geometry][hexahedron]") {
  for_points(make_mesh(), [](const std::vector<double>& K, double r, double s, double t) {
    double f[geometry::num_factors];
    geometry::factors(K.data(), r, s, t, 1, f);
    const Matrix3 G(f);
    CHECK(G.m[0][0] > 0);
    CHECK(G.minor2() > 0);
    CHECK(G.determinant() > 0);
    CHECK(f[6] > 0);
  });
}

TEMPLATE_TEST_CASE("Stored factors are those of each point, component by component", "[geometry][hexahedron]", double,
                   float) {
  const mesh::Mesh mesh = make_mesh();
  const basis::Rule rule = GENERATE(0, 1) ? basis::gauss(5) : basis::gauss_lobatto(4);
  const int q = rule.size(), points = q * q * q;
  std::vector<double> all, mass;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    std::vector<double> element(geometry::num_factors * points);
    for (int p = 0; p < points; ++p) {
      const int i = p % q, j = p / q % q, k = p / (q * q);
      double f[geometry::num_factors];
      geometry::factors(coefficients(mesh, e).data(), rule.points[i], rule.points[j], rule.points[k],
                        rule.weights[i] * rule.weights[j] * rule.weights[k], f);
      for (int c = 0; c < geometry::num_factors; ++c) element[c * points + p] = f[c];
    }
    all.insert(all.end(), element.begin(), element.end());
    mass.insert(mass.end(), element.begin() + 6 * points, element.end());
  }
  const Vector<const double> trilinear = geometry::make_trilinear(mesh);

  CHECK_THAT(values(geometry::make_factors<TestType>(trilinear, rule, false)), all_close<TestType>(values(all), 8));
  CHECK_THAT(values(geometry::make_factors<TestType>(trilinear, rule, true)), all_close<TestType>(values(mass), 8));
}

TEST_CASE("W sums to the volume of the mesh", "[geometry][hexahedron]") {
  const mesh::Mesh mesh = GENERATE(0, 1) ? make_turned_box(7, 3, 2) : make_fan(5, 3);
  const basis::Rule rule = GENERATE(0, 1) ? basis::gauss(2) : basis::gauss_lobatto(3);

  const Values W = values(geometry::make_factors<double>(geometry::make_trilinear(mesh), rule, true));

  double sum = 0;
  for (const double w : W.entries) sum += w;
  CHECK(sum == close<double>(volume(mesh), double(W.size())));
}

TEST_CASE("Trilinear maps of other cells are rejected", "[geometry][trilinear]") {
  CHECK_THROWS_WITH(geometry::make_trilinear(mesh::make_prism_box(1, 1, 1)), contains("accepted are hexahedra"));
}

TEST_CASE("No element of a proper mesh is inverted", "[geometry][find_inverted]") {
  const int which = GENERATE(range(0, 4));
  const mesh::Mesh mesh = which == 0   ? mesh::make_box(3, 2, 5)
                          : which == 1 ? make_turned_box(7, 3, 2)
                          : which == 2 ? make_fan(3, 2)
                                       : make_fan(5, 3);

  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), basis::gauss(3)) == -1);
}

TEST_CASE("The first element that is turned inside out is found", "[geometry][find_inverted]") {
  const std::size_t victim = GENERATE(0, 11, 29);
  mesh::Mesh mesh = make_mesh();

  for (std::size_t e = victim; e < mesh.num_elements(); ++e)
    for (int v = 0; v < 8; v += 2) std::swap(mesh.element_to_vertex[e][v], mesh.element_to_vertex[e][v + 1]);

  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), basis::gauss(3)) == std::int64_t(victim));
}

TEST_CASE("An element with a vertex pulled through it is found", "[geometry][find_inverted]") {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);

  mesh.vertices[0] = {0.9, 0.9, 0.9};

  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), basis::gauss(3)) == 0);
}

TEST_CASE("A corner of negative det J is found though all quadrature points are positive",
          "[geometry][find_inverted]") {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);
  mesh.vertices[0] = {0.4, 0.4, 0.4};  // beyond the plane of its neighbours
  const basis::Rule rule = basis::gauss(2);
  const Values W = values(geometry::make_factors<double>(geometry::make_trilinear(mesh), rule, true));
  REQUIRE(*std::min_element(W.entries.begin(), W.entries.end()) > 0);

  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), rule) == 0);
}

TEST_CASE("An element without volume is inverted", "[geometry][find_inverted]") {
  mesh::Mesh mesh = mesh::make_box(2, 1, 1);

  for (mesh::Point& x : mesh.vertices) x[2] = 0;

  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), basis::gauss(3)) == 0);
}

TEST_CASE("A vertex that is not a number inverts its elements", "[geometry][find_inverted]") {
  const int direction = GENERATE(0, 1, 2);
  mesh::Mesh mesh = mesh::make_box(3, 1, 1);

  mesh.vertices[3][direction] = std::numeric_limits<double>::quiet_NaN();  // of the last element

  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), basis::gauss(3)) == 2);
}

TEST_CASE("A corner that is pushed in almost to the plane of its neighbours passes", "[geometry][find_inverted]") {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);

  mesh.vertices[7] = {0.67, 0.67, 0.67};  // the plane is at 2/3

  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), basis::gauss(3)) == -1);
}
