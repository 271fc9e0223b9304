// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/simplex.hpp"

#include <numeric>

#include "support/all_close.hpp"

namespace {

/// The rule's value of the integral of x^a y^b over the reference triangle.
double integrate(const basis::TriangleRule& rule, int a, int b) {
  double sum = 0;
  for (int q = 0; q < rule.size(); ++q)
    sum += rule.weights[q] * std::pow(rule.points[q][0], a) * std::pow(rule.points[q][1], b);
  return sum;
}

/// a! b! / (a + b + 2)!
double exact(int a, int b) { return std::tgamma(a + 1) * std::tgamma(b + 1) / std::tgamma(a + b + 3); }

}  // namespace

TEST_CASE("Triangle rules integrate every monomial up to their degree exactly", "[basis][simplex]") {
  const int degree = GENERATE(range(2, 15, 2));
  const basis::TriangleRule rule = basis::triangle_rule(degree);

  for (int a = 0; a <= degree; ++a) {
    for (int b = 0; a + b <= degree; ++b) {
      CAPTURE(degree, a, b);
      CHECK(integrate(rule, a, b) == close<double>(exact(a, b), rule.size()));
    }
  }
}

TEST_CASE("Triangle rules are not exact for some monomial of the next degree", "[basis][simplex]") {
  const int degree = GENERATE(range(2, 15, 2));
  const basis::TriangleRule rule = basis::triangle_rule(degree);

  double missed = 0;  // error / tolerance
  for (int a = 0; a <= degree + 1; ++a) {
    const int b = degree + 1 - a;
    missed =
        std::max(missed, std::fabs(integrate(rule, a, b) - exact(a, b)) / tolerance<double>(rule.size(), exact(a, b)));
  }
  CHECK(missed > 1000);
}

TEST_CASE("Triangle rules have as many points as in Dunavant's tables", "[basis][simplex]") {
  CHECK(basis::triangle_rule(2).size() == 3);
  CHECK(basis::triangle_rule(4).size() == 6);
  CHECK(basis::triangle_rule(6).size() == 12);
  CHECK(basis::triangle_rule(8).size() == 16);
  CHECK(basis::triangle_rule(10).size() == 25);
  CHECK(basis::triangle_rule(12).size() == 33);
  CHECK(basis::triangle_rule(14).size() == 42);
}

TEST_CASE("Triangle rules have positive weights, which sum to the area, and points inside", "[basis][simplex]") {
  const basis::TriangleRule rule = basis::triangle_rule(GENERATE(range(2, 15, 2)));

  REQUIRE(rule.weights.size() == rule.points.size());
  for (int q = 0; q < rule.size(); ++q) {
    CHECK(rule.weights[q] > 0);
    CHECK(rule.points[q][0] > 0);
    CHECK(rule.points[q][1] > 0);
    CHECK(rule.points[q][0] + rule.points[q][1] < 1);
  }
  CHECK(std::accumulate(rule.weights.begin(), rule.weights.end(), 0.0) == close<double>(0.5, rule.size()));
}

TEST_CASE("Triangle rules are symmetric: any two barycentric coordinates may be swapped", "[basis][simplex]") {
  const basis::TriangleRule rule = basis::triangle_rule(GENERATE(range(2, 15, 2)));

  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) {
      double turned = 0;  // the monomial of the second and the third coordinate
      for (int q = 0; q < rule.size(); ++q) {
        const auto [x, y] = rule.points[q];
        turned += rule.weights[q] * std::pow(y, a) * std::pow(1 - x - y, b);
      }
      CHECK(turned == close<double>(integrate(rule, a, b), rule.size(), 0.5));
    }
  }
}

TEST_CASE("A degree without a triangle rule is rejected with a list of those that exist", "[basis][simplex]") {
  const int degree = GENERATE(-2, 0, 3, 16);

  CHECK_THROWS_AS(basis::triangle_rule(degree), InputError);
  CHECK_THROWS_WITH(basis::triangle_rule(degree), contains("2, 4, 6, 8, 10, 12, 14"));
}

namespace {

double integrate(const basis::TetrahedronRule& rule, int a, int b, int c) {
  double sum = 0;
  for (int q = 0; q < rule.size(); ++q)
    sum += rule.weights[q] * std::pow(rule.points[q][0], a) * std::pow(rule.points[q][1], b) *
           std::pow(rule.points[q][2], c);
  return sum;
}

/// a! b! c! / (a + b + c + 3)!
double exact(int a, int b, int c) {
  return std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) / std::tgamma(a + b + c + 4);
}

/// The mean of the product of powers of barycentric coordinates 0 and 1 by the rule of a kernel.
template <int dim, int points>
double mean(int a, int b) {
  double sum = 0;
  for (int q = 0; q < points; ++q)
    sum += std::pow(basis::simplex_point<dim, points>(q, 0), a) * std::pow(basis::simplex_point<dim, points>(q, 1), b);
  return sum / points;
}

}  // namespace

TEST_CASE("Tetrahedron rules integrate every monomial up to their degree exactly, and not all of the next",
          "[basis][simplex]") {
  const int degree = GENERATE(1, 2, 5);
  const basis::TetrahedronRule rule = basis::tetrahedron_rule(degree);
  REQUIRE(rule.weights.size() == rule.points.size());

  double missed = 0;
  for (int a = 0; a <= degree + 1; ++a) {
    for (int b = 0; a + b <= degree + 1; ++b) {
      for (int c = 0; a + b + c <= degree + 1; ++c) {
        CAPTURE(degree, a, b, c);
        if (a + b + c <= degree)
          CHECK(integrate(rule, a, b, c) == close<double>(exact(a, b, c), rule.size()));
        else
          missed = std::max(missed, std::fabs(integrate(rule, a, b, c) / exact(a, b, c) - 1));
      }
    }
  }
  CHECK(missed > 1e-3);
}

TEST_CASE("Tetrahedron rules have positive weights and points inside", "[basis][simplex]") {
  const basis::TetrahedronRule rule = basis::tetrahedron_rule(GENERATE(1, 2, 5));

  for (int q = 0; q < rule.size(); ++q) {
    const auto [x, y, z] = rule.points[q];
    CHECK(rule.weights[q] > 0);
    CHECK((x > 0 && y > 0 && z > 0 && x + y + z < 1));
  }
}

TEST_CASE("A degree without a tetrahedron rule is rejected with a list of those that exist", "[basis][simplex]") {
  CHECK_THROWS_WITH(basis::tetrahedron_rule(GENERATE(0, 3, 6)), contains("there are 1, 2, 5"));
}

TEST_CASE("The rules of kernels are exact for degree 1 with one point and for degree 2 with dim + 1",
          "[basis][simplex]") {
  CHECK(mean<2, 1>(1, 0) == close<double>(1 / 3.0, 3));
  CHECK(mean<3, 1>(0, 1) == close<double>(1 / 4.0, 3));
  CHECK(mean<2, 3>(0, 1) == close<double>(1 / 3.0, 3));
  CHECK(mean<2, 3>(2, 0) == close<double>(1 / 6.0, 3));  // a! b! d! / (a + b + d)!
  CHECK(mean<2, 3>(1, 1) == close<double>(1 / 12.0, 3));
  CHECK(mean<3, 4>(1, 0) == close<double>(1 / 4.0, 4));
  CHECK(mean<3, 4>(0, 2) == close<double>(1 / 10.0, 4));
  CHECK(mean<3, 4>(1, 1) == close<double>(1 / 20.0, 4));
}
