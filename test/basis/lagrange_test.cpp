// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/lagrange.hpp"

#include "miniapp/basis/quadrature.hpp"
#include "support/matrices.hpp"

namespace {

Values powers(const std::vector<double>& points, int degree) {
  Values values;
  for (const double x : points) values.entries.push_back(std::pow(x, degree));
  return values;
}
Values power_slopes(const std::vector<double>& points, int degree) {
  Values values;
  for (const double x : points) values.entries.push_back(degree ? degree * std::pow(x, degree - 1) : 0);
  return values;
}

}  // namespace

TEST_CASE("Lagrange polynomials are one at their own node and zero at the others", "[basis][lagrange]") {
  const std::vector<double> nodes = basis::gauss_lobatto(GENERATE(range(2, 17))).points;

  const basis::Matrix values_at_nodes = basis::lagrange_values(nodes, nodes);

  for (int a = 0; a < values_at_nodes.rows; ++a)
    for (int i = 0; i < values_at_nodes.columns; ++i) CHECK(values_at_nodes(a, i) == (a == i ? 1 : 0));
}

TEST_CASE("Rows of values sum to one, rows of derivatives to zero", "[basis][lagrange]") {
  const int n = GENERATE(range(2, 17));
  const std::vector<double> nodes = basis::gauss_lobatto(n).points, points = basis::gauss(n + 1).points;
  const Values ones{std::vector<double>(nodes.size(), 1)};

  const basis::Matrix I = basis::lagrange_values(nodes, points), D = basis::lagrange_derivatives(nodes, points);

  CHECK_THAT(product(I, ones), all_close<double>({std::vector<double>(n + 1, 1)}, n, row_scale(I)));
  CHECK_THAT(product(D, ones), all_close<double>({std::vector<double>(n + 1, 0)}, n * n, row_scale(D)));
}

TEST_CASE("Values reproduce polynomials up to degree size - 1", "[basis][lagrange]") {
  const int n = GENERATE(range(2, 17));
  const std::vector<double> nodes = basis::gauss_lobatto(n).points, points = basis::gauss(n + 1).points;

  const basis::Matrix I = basis::lagrange_values(nodes, points);

  for (int degree = 0; degree < n; ++degree) {
    CAPTURE(n, degree);
    CHECK_THAT(product(I, powers(nodes, degree)), all_close<double>(powers(points, degree), n * n, row_scale(I)));
  }
}

TEST_CASE("Derivatives are exact for polynomials up to degree size - 1", "[basis][lagrange]") {
  const int n = GENERATE(range(2, 18));
  const bool at_nodes = GENERATE(true, false);
  const std::vector<double> nodes = basis::gauss_lobatto(n).points,
                            points = at_nodes ? nodes : basis::gauss(n + 1).points;

  const basis::Matrix D = basis::lagrange_derivatives(nodes, points);

  for (int degree = 0; degree < n; ++degree) {
    CAPTURE(n, degree);
    CHECK_THAT(product(D, powers(nodes, degree)), all_close<double>(power_slopes(points, degree), n * n, row_scale(D)));
  }
}

TEST_CASE("Lagrange polynomials of unevenly spaced, unsorted nodes are right too", "[basis][lagrange]") {
  const std::vector<double> nodes{0.9, -1, 0.3}, points{0.5, -0.25};

  const basis::Matrix I = basis::lagrange_values(nodes, points), D = basis::lagrange_derivatives(nodes, points);

  for (int degree = 0; degree < 3; ++degree) {
    CHECK_THAT(product(I, powers(nodes, degree)), all_close<double>(powers(points, degree), 9, row_scale(I)));
    CHECK_THAT(product(D, powers(nodes, degree)), all_close<double>(power_slopes(points, degree), 9, row_scale(D)));
  }
}
