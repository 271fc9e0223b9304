// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/triangle.hpp"

#include "miniapp/basis/quadrature.hpp"
#include "support/matrices.hpp"

namespace {

constexpr int largest_order = 7;

/// Points on a fine lattice of the triangle, its boundary included.
std::vector<basis::TrianglePoint> fine_points(int n) {
  std::vector<basis::TrianglePoint> points;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n - j; ++i) points.push_back({double(i) / n, double(j) / n});
  return points;
}

/// x^a y^b at points, and its derivatives.
Values monomial(const std::vector<basis::TrianglePoint>& points, int a, int b) {
  Values values;
  for (const auto& [x, y] : points) values.entries.push_back(a < 0 || b < 0 ? 0 : std::pow(x, a) * std::pow(y, b));
  return values;
}
Values scaled(double factor, Values values) {
  for (double& x : values.entries) x *= factor;
  return values;
}

}  // namespace

TEST_CASE("The lattice of the triangle has each index once, at its place", "[basis][triangle]") {
  const int p = GENERATE(range(1, largest_order + 1));
  const auto lattice = basis::triangle_lattice(p);

  REQUIRE(lattice.size() == std::size_t(basis::triangle_size(p)));
  for (int i = 0; i < basis::triangle_size(p); ++i) {
    CHECK(lattice[i][0] + lattice[i][1] + lattice[i][2] == p);
    CHECK(std::min({lattice[i][0], lattice[i][1], lattice[i][2]}) >= 0);
    CHECK(basis::triangle_node(p, lattice[i]) == i);
  }
}

TEST_CASE("Nodes on the edges of the triangle are those of Gauss, Lobatto and Legendre", "[basis][triangle]") {
  const int p = GENERATE(range(1, largest_order + 1));
  const auto nodes = basis::triangle_nodes(p);
  const std::vector<double> line = basis::gauss_lobatto(p + 1).points;

  for (int i = 0; i <= p; ++i) {
    const double at = (1 + line[i]) / 2;
    const auto along_x = nodes[basis::triangle_node(p, {p - i, i, 0})];
    const auto along_y = nodes[basis::triangle_node(p, {p - i, 0, i})];
    const auto slanted = nodes[basis::triangle_node(p, {0, p - i, i})];
    CHECK(along_x[0] == close<double>(at, 1, 1));
    CHECK(along_x[1] == 0);
    CHECK(along_y[0] == 0);
    CHECK(along_y[1] == close<double>(at, 1, 1));
    CHECK(slanted[0] == close<double>(1 - at, 1, 1));
    CHECK(slanted[1] == close<double>(at, 1, 1));
  }
}

TEST_CASE("Permuting the lattice indices of a node permutes its barycentric coordinates", "[basis][triangle]") {
  const int p = GENERATE(range(1, largest_order + 1));
  const auto nodes = basis::triangle_nodes(p);

  for (const basis::TriangleLattice& a : basis::triangle_lattice(p)) {
    const auto [x, y] = nodes[basis::triangle_node(p, a)];
    const auto turned = nodes[basis::triangle_node(p, {a[2], a[0], a[1]})];
    const auto mirrored = nodes[basis::triangle_node(p, {a[0], a[2], a[1]})];
    CHECK(turned[0] == close<double>(1 - x - y, 1, 1));
    CHECK(turned[1] == close<double>(x, 1, 1));
    CHECK(mirrored[0] == close<double>(y, 1, 1));
    CHECK(mirrored[1] == close<double>(x, 1, 1));
  }
}

TEST_CASE("Dubiner's polynomials are orthonormal on the triangle", "[basis][triangle]") {
  const int p = GENERATE(range(1, largest_order + 1));
  const basis::TriangleRule rule = basis::triangle_rule(2 * p);

  const basis::Matrix values = basis::orthonormal_tables(p, rule.points).values;

  for (int i = 0; i < values.columns; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int q = 0; q < rule.size(); ++q) sum += rule.weights[q] * values(q, i) * values(q, j);
      CHECK(sum == close<double>(i == j, 100 * p, 1));
    }
  }
}

TEST_CASE("Lagrange polynomials of the triangle are one at their own node and zero at the others",
          "[basis][triangle]") {
  const int p = GENERATE(range(1, largest_order + 1));

  const basis::Matrix values = basis::triangle_tables(p, basis::triangle_nodes(p)).values;

  for (int a = 0; a < values.rows; ++a)
    for (int i = 0; i < values.columns; ++i) CHECK(values(a, i) == close<double>(a == i, values.columns, 1));
}

TEST_CASE("Lagrange polynomials of the triangle reproduce polynomials and their derivatives", "[basis][triangle]") {
  const int p = GENERATE(range(1, largest_order + 1));
  const auto nodes = basis::triangle_nodes(p), points = fine_points(6);

  const basis::TriangleTables tables = basis::triangle_tables(p, points);

  const double terms = tables.values.columns;
  for (int a = 0; a <= p; ++a) {
    for (int b = 0; a + b <= p; ++b) {
      CAPTURE(p, a, b);
      const Values at_nodes = monomial(nodes, a, b);
      CHECK_THAT(product(tables.values, at_nodes),
                 all_close<double>(monomial(points, a, b), terms, row_scale(tables.values)));
      CHECK_THAT(product(tables.x_derivatives, at_nodes),
                 all_close<double>(scaled(a, monomial(points, a - 1, b)), terms, row_scale(tables.x_derivatives)));
      CHECK_THAT(product(tables.y_derivatives, at_nodes),
                 all_close<double>(scaled(b, monomial(points, a, b - 1)), terms, row_scale(tables.y_derivatives)));
    }
  }
}

TEST_CASE("The nodes of the triangle interpolate well: Lebesgue's constant stays small", "[basis][triangle]") {
  const int p = GENERATE(range(1, largest_order + 1));
  const double limit[] = {0, 1.001, 1.67, 2.12, 2.69, 3.42, 3.91, 4.49};  // as measured

  CHECK(row_scale(basis::triangle_tables(p, fine_points(60)).values) < limit[p]);
}
