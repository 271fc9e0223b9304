// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/quadrature.hpp"

#include <numeric>

#include "support/all_close.hpp"

namespace {

constexpr int largest_size = 17;  // Gauss points of order 15

/// The rule's value of the integral of x^degree over [-1, 1].
double integrate(const basis::Rule& rule, int degree) {
  double sum = 0;
  for (int q = 0; q < rule.size(); ++q) sum += rule.weights[q] * std::pow(rule.points[q], degree);
  return sum;
}

double exact(int degree) { return degree % 2 ? 0 : 2.0 / (degree + 1); }

/// The error of Gauss's rule for x^(2 size): the squared norm of the monic Legendre polynomial.
double gauss_error(int size) {
  const double ratio = std::exp(2 * std::lgamma(size + 1.0) - std::lgamma(2 * size + 1.0));
  return std::ldexp(ratio * ratio, 2 * size + 1) / (2 * size + 1);
}

/// The error of the Gauss-Lobatto rule for x^(2 size - 2) (Abramowitz and Stegun 25.4.32).
double gauss_lobatto_error(int size) {
  const double ratio = std::exp(2 * std::lgamma(size - 1.0) - std::lgamma(2 * size - 1.0));
  return -size * std::pow(size - 1.0, 3) * std::ldexp(ratio * ratio, 2 * size - 1) / (2 * size - 1);
}

void check_symmetry(const basis::Rule& rule) {
  const int n = rule.size();
  for (int i = 0; i < n; ++i) {
    CHECK(rule.points[i] == -rule.points[n - 1 - i]);
    CHECK(rule.weights[i] == rule.weights[n - 1 - i]);
  }
}

void check_order_and_sign(const basis::Rule& rule) {
  CHECK(std::is_sorted(rule.points.begin(), rule.points.end(), std::less_equal<double>()));
  for (const double w : rule.weights) CHECK(w > 0);
  CHECK(std::accumulate(rule.weights.begin(), rule.weights.end(), 0.0) == close<double>(2, rule.size()));
}

}  // namespace

TEST_CASE("Gauss rules integrate polynomials of degree 2 size - 1 exactly", "[basis][quadrature]") {
  const int size = GENERATE(range(1, largest_size + 1));
  const basis::Rule rule = basis::gauss(size);

  REQUIRE(rule.size() == size);
  for (int degree = 0; degree < 2 * size; ++degree) {
    CAPTURE(size, degree);
    CHECK(integrate(rule, degree) == close<double>(exact(degree), size, 2));
  }
}

TEST_CASE("Gauss rules miss degree 2 size by the norm of the monic Legendre polynomial", "[basis][quadrature]") {
  const int size = GENERATE(range(1, largest_size + 1));

  const double missed = exact(2 * size) - integrate(basis::gauss(size), 2 * size);

  REQUIRE(gauss_error(size) > tolerance<double>(size, 2));  // large enough to be noticed
  CHECK(missed == close<double>(gauss_error(size), size, 2));
}

TEST_CASE("Gauss-Lobatto rules integrate polynomials of degree 2 size - 3 exactly", "[basis][quadrature]") {
  const int size = GENERATE(range(2, largest_size + 1));
  const basis::Rule rule = basis::gauss_lobatto(size);

  REQUIRE(rule.size() == size);
  for (int degree = 0; degree < 2 * size - 2; ++degree) {
    CAPTURE(size, degree);
    CHECK(integrate(rule, degree) == close<double>(exact(degree), size, 2));
  }
}

TEST_CASE("Gauss-Lobatto rules miss degree 2 size - 2 by the known error term", "[basis][quadrature]") {
  const int size = GENERATE(range(2, largest_size + 1));

  const double missed = exact(2 * size - 2) - integrate(basis::gauss_lobatto(size), 2 * size - 2);

  REQUIRE(-gauss_lobatto_error(size) > tolerance<double>(size, 2));
  CHECK(missed == close<double>(gauss_lobatto_error(size), size, 2));
}

TEST_CASE("Rules are symmetric about 0 to the last bit", "[basis][quadrature]") {
  const int size = GENERATE(range(2, largest_size + 1));

  check_symmetry(basis::gauss(size));
  check_symmetry(basis::gauss_lobatto(size));
}

TEST_CASE("Points rise, weights are positive and sum to 2", "[basis][quadrature]") {
  const int size = GENERATE(range(2, largest_size + 1));

  check_order_and_sign(basis::gauss(size));
  check_order_and_sign(basis::gauss_lobatto(size));
}

TEST_CASE("Gauss-Lobatto rules include both ends, Gauss rules neither", "[basis][quadrature]") {
  const int size = GENERATE(range(2, largest_size + 1));

  CHECK(basis::gauss_lobatto(size).points.front() == -1);
  CHECK(basis::gauss_lobatto(size).points.back() == 1);
  CHECK(basis::gauss(size).points.front() > -1);
}
