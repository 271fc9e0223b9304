// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/reference.hpp"

#include <functional>
#include <limits>

#include "miniapp/geometry/prism.hpp"
#include "support/prisms.hpp"

namespace {

constexpr double young = 2.1, poisson = 0.3;
const elasticity::Lame material = elasticity::make_lame(young, poisson);

using Point = std::array<double, 3>;
using Displacement = std::function<Point(const Point&)>;

/// An element with its matrix.
struct Element {
  basis::PrismTables tables;
  std::vector<double> vertices, A;

  Element(int p, std::vector<double> vertices_)
      : tables(basis::make_prism_tables(p)),
        vertices(std::move(vertices_)),
        A(elasticity::reference_matrix(tables, vertices.data(), material)) {}

  Point map(const basis::PrismPoint& at) const {
    double x[3];
    geometry::prism_point(vertices.data(), at[0], at[1], at[2], x);
    return {x[0], x[1], x[2]};
  }
  int functions() const { return tables.num_functions; }
  double entry(int i, int k, int r, int s) const { return A[elasticity::matrix_place(functions(), i, k, r, s)]; }

  /// Values at the nodes: (i, r).
  std::vector<double> interpolate(const Displacement& u) const {
    std::vector<double> nodal(3 * functions());
    const auto nodes = basis::prism_node_points(tables.order);
    for (int r = 0; r < functions(); ++r)
      for (int i = 0; i < 3; ++i) nodal[i * functions() + r] = u(map(nodes[r]))[i];
    return nodal;
  }
  /// A u: (i, r), and the largest sum of magnitudes in a row.
  Values apply(const std::vector<double>& u, double& scale) const {
    Values y{std::vector<double>(u.size())};
    scale = 0;
    for (int i = 0; i < 3; ++i)
      for (int r = 0; r < functions(); ++r) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
          for (int s = 0; s < functions(); ++s) {
            const double term = entry(i, k, r, s) * u[k * functions() + s];
            y.entries[i * functions() + r] += term;
            sum += std::fabs(term);
          }
        scale = std::max(scale, sum);
      }
    return y;
  }
  /// The integral of a function of x.
  double integrate(const std::function<double(const Point&)>& f) const {
    double sum = 0;
    for (int q = 0; q < tables.num_points; ++q) {
      const auto [r, s, t] = tables.points[q];
      double J[3][3], inverse[3][3];
      geometry::prism_jacobian(vertices.data(), r, s, t, J);
      sum += tables.weights[q] * invert(J, inverse) * f(map(tables.points[q]));
    }
    return sum;
  }
  /// Terms of a sum over columns of sums over points, squared: the worst accumulation of rounding.
  double terms() const { return 3.0 * functions() * tables.num_points; }
};

/// A prism whose map is linear.
std::vector<double> make_affine_prism() {
  std::vector<double> vertices = make_prism(4);
  for (int d = 0; d < 3; ++d)
    for (int v = 1; v < 3; ++v) vertices[3 * (v + 3) + d] = vertices[3 * v + d] + vertices[9 + d] - vertices[d];
  return vertices;
}

/// Pure bending about y: the only stress is E z along x, and no force acts inside.
/// Source: S. Timoshenko, J. N. Goodier, Theory of Elasticity, section on pure bending of prismatical bars.
Point bend(const Point& p) {
  const auto [x, y, z] = p;
  return {x * z, -poisson * y * z, -(x * x + poisson * (z * z - y * y)) / 2};
}

/// A displacement of constant strain, with a rotation.
constexpr double slopes[3][3] = {{0.3, -0.2, 0.5}, {0.7, 0.1, -0.4}, {0.25, 0.6, -0.9}};
Point stretch(const Point& x) {
  Point u{1, -2, 3};
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) u[i] += slopes[i][d] * x[d];
  return u;
}

}  // namespace

TEST_CASE("The element matrix is symmetric: A_ik(r, s) = A_ki(s, r)", "[elasticity][reference]") {
  const Element element(GENERATE(1, 2, 3), make_prism(1));

  double scale = 0;
  for (const double a : element.A) scale = std::max(scale, std::fabs(a));
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k <= i; ++k)
      for (int r = 0; r < element.functions(); ++r)
        for (int s = 0; s < element.functions(); ++s)
          REQUIRE(element.entry(i, k, r, s) ==
                  close<double>(element.entry(k, i, s, r), element.tables.num_points, scale));
}

TEST_CASE("Rigid motions of a deformed prism have no forces", "[elasticity][reference]") {
  const Element element(GENERATE(1, 2, 3, 4, 5), make_prism(2));

  for (int motion = 0; motion < 6; ++motion) {
    const int j = (motion + 1) % 3, k = (motion + 2) % 3;
    const std::vector<double> u = element.interpolate([&](const Point& x) {
      Point moved{0, 0, 0};
      if (motion < 3) {
        moved[motion] = 1;
      } else {  // a turn about an axis
        moved[j] = -x[k];
        moved[k] = x[j];
      }
      return moved;
    });
    double scale;
    const Values forces = element.apply(u, scale);
    REQUIRE(scale > 0.1);
    CHECK_THAT(forces, all_close<double>({std::vector<double>(u.size(), 0)}, element.terms(), scale));
  }
}

TEST_CASE("A constant strain has its exact energy on a deformed prism", "[elasticity][reference]") {
  const Element element(GENERATE(1, 2, 3, 4), make_prism(3));
  const std::vector<double> u = element.interpolate(stretch);
  double trace = 0, square = 0, scale;
  for (int i = 0; i < 3; ++i) {
    trace += slopes[i][i];
    for (int d = 0; d < 3; ++d) square += std::pow((slopes[i][d] + slopes[d][i]) / 2, 2);
  }
  const double volume = element.integrate([](const Point&) { return 1; });

  const Values forces = element.apply(u, scale);

  double work = 0;
  for (std::size_t i = 0; i < u.size(); ++i) work += u[i] * forces[i];
  const double exact = volume * (material.lambda * trace * trace + 2 * material.mu * square);
  CHECK(work == close<double>(exact, element.terms(), scale * largest(values(u)) * double(u.size())));
  CHECK(std::fabs(exact) > 0.1);
}

TEST_CASE("A constant stress puts no forces on nodes inside a deformed prism", "[elasticity][reference]") {
  const Element element(GENERATE(3, 4), make_prism(5));
  const auto nodes = basis::prism_nodes(element.tables.order);
  double scale;

  const Values forces = element.apply(element.interpolate(stretch), scale);

  double outside = 0;
  for (int r = 0; r < element.functions(); ++r)
    for (int i = 0; i < 3; ++i) {
      const double force = forces[i * element.functions() + r];
      if (nodes[r].entity == basis::Entity::inside) CHECK(force == close<double>(0, element.terms(), scale));
      outside = std::max(outside, std::fabs(force));
    }
  CHECK(outside > 0.1);
}

TEST_CASE("Pure bending has the energy of its stress E z, and no forces inside", "[elasticity][reference]") {
  const Element element(GENERATE(2, 3, 4), make_affine_prism());
  const auto nodes = basis::prism_nodes(element.tables.order);
  const std::vector<double> u = element.interpolate(bend);
  double scale;

  const Values forces = element.apply(u, scale);

  double work = 0;
  for (std::size_t i = 0; i < u.size(); ++i) work += u[i] * forces[i];
  const double exact = element.integrate([](const Point& x) { return young * x[2] * x[2]; });
  CHECK(work == close<double>(exact, element.terms(), scale * largest(values(u)) * double(u.size())));
  for (int r = 0; r < element.functions(); ++r)
    for (int i = 0; i < 3; ++i)
      if (nodes[r].entity == basis::Entity::inside)
        CHECK(forces[i * element.functions() + r] == close<double>(0, element.terms(), scale));
}

TEST_CASE("Entries of order 1 on the reference prism are those computed by hand", "[elasticity][reference]") {
  const Element element(1, reference_prism());
  const auto [lambda, mu] = material;

  // phi_0 = (1 - x - y)(1 - z)/2: the squares of its derivatives integrate to 1/3, 1/3 and 1/24
  CHECK(element.entry(0, 0, 0, 0) == close<double>(lambda / 3 + mu * (1 / 3.0 + 17 / 24.0), 6));
  CHECK(element.entry(2, 2, 0, 0) == close<double>(lambda / 24 + mu * 3 / 4, 6));
  CHECK(element.entry(0, 1, 0, 0) == close<double>((lambda + mu) / 3, 6));
  // phi_1 = x (1 - z)/2: d_x phi_0 d_x phi_1 to -1/3, d_z phi_0 d_z phi_1 to 1/48, d_x phi_0 d_z phi_1 to 1/12 ...
  CHECK(element.entry(2, 2, 0, 1) == close<double>(lambda / 48 + mu * (2 / 48.0 - 1 / 3.0), 6, 1));
  CHECK(element.entry(0, 2, 0, 1) == close<double>(lambda / 12 - mu / 12, 6, 1));
}

TEST_CASE("Lame's constants follow from Young's modulus and Poisson's ratio", "[elasticity][reference]") {
  const elasticity::Lame steel = elasticity::make_lame(210, 0.25);

  CHECK(steel.lambda == close<double>(84, 4));
  CHECK(steel.mu == close<double>(84, 4));
}

TEST_CASE("Unphysical materials are rejected", "[elasticity][reference]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto [E, nu] =
      GENERATE_COPY(table<double, double>({{0, 0.3}, {-1, 0.3}, {1, 0.5}, {1, -1}, {nan, 0.3}, {1, nan}}));

  CHECK_THROWS_AS(elasticity::make_lame(E, nu), InputError);
  CHECK_THROWS_WITH(elasticity::make_lame(E, nu), contains("accepted are a positive modulus"));
}
