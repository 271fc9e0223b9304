// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/simplex.hpp"

#include <cmath>
#include <numeric>

#include "miniapp/core/error.hpp"
#include "support/all_close.hpp"

using namespace miniapp;
using namespace miniapp::test;

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
