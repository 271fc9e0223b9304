// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/problem.hpp"

#include <cmath>

#include "miniapp/basis/even_odd.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::tensor {

ProblemChoice parse_problem(const std::string& text) {
  std::string accepted;
  for (const Problem problem : members<Problem>()) {
    const std::string number = name(problem).substr(2);
    if (text == name(problem) || text == number) return {problem, false};
    accepted += number + ", ";
  }
  constexpr Problem ceed[] = {Problem::bp1_0, Problem::bp3_0, Problem::bp3_5};
  for (int i = 0; i < 3; ++i) {
    if (text == "bp" + std::to_string(2 * i + 1)) return {ceed[i], true};
    if (text == "bp" + std::to_string(2 * i + 2)) return {ceed[i], true, 3};
  }
  throw InputError("bp", "", "unknown problem '" + text + "'; accepted are " + accepted + "or CEED's bp1 .. bp6");
}

std::vector<std::string> problem_words() {
  std::vector<std::string> words;
  for (const Problem problem : members<Problem>()) words.push_back(name(problem).substr(2));
  for (int number = 1; number <= 6; ++number) words.push_back("bp" + std::to_string(number));
  return words;
}

measure::Cost cost(Problem problem, int order, double elements, int word, int components) {
  const double n = order + 1, m = order + 2, n3 = n * n * n, m3 = m * m * m;
  const double bytes = elements * word, applied = elements * components;
  const double interpolation = 2 * (m * n * n * n + m * m * n * n + m * m * m * n);
  switch (problem) {
    case Problem::bp1_0:
      return {bytes * (2 * components * n3 + m3), applied * (2 * interpolation + m3)};
    case Problem::bp3_0:
      return {bytes * (2 * components * n3 + 7 * m3), applied * (2 * interpolation + 12 * m * m3 + 20 * m3)};
    case Problem::bp3_5:
      return {bytes * (2 * components + 7) * n3, applied * (12 * n * n3 + 20 * n3)};
  }
  return {};
}

namespace {

/// Multiplications of a matrix (rows, columns) with a vector, by basis::EvenOdd: two rows at a time, a middle row by
/// its even or odd part alone.
double line_products(int rows, int columns, Contraction contraction, basis::Parity parity) {
  if (contraction == Contraction::plain) return double(rows) * columns;
  const int middle = parity == basis::Parity::values ? (columns + 1) / 2 : columns / 2;
  return rows / 2 * columns + rows % 2 * middle;
}

/// Multiplications at a point, that of u by its factor included. Computed factors of a mass are one quadratic per line,
/// evaluated at two points of opposite signs at a time (LaneLine); others are StiffnessLine::apply() and
/// ConstantLine::apply().
double point_products(Problem problem, int q, Geometry geometry) {
  if (geometry == Geometry::boxes) return problem == Problem::bp1_0 ? 1 : problem == Problem::bp3_5 ? 5 : 4;
  if (geometry == Geometry::affine) return 14 + 7. / q;  // the weights of a line, then ConstantLine::apply()
  if (has_stiffness(problem)) return geometry == Geometry::stored ? 10 : 29;
  return geometry == Geometry::stored ? 1 : (q / 2 * 5 + q % 2 * 2) / double(q);
}

}  // namespace

double multiplications(Problem problem, int order, Geometry geometry, Contraction contraction, double elements) {
  using basis::Parity;
  const int n = order + 1;
  if (geometry == Geometry::affine && !has_stiffness(problem)) geometry = Geometry::boxes;
  if (geometry == Geometry::boxes) {
    const int lines = problem == Problem::bp3_0 ? 7 : 3;  // per node of a side of the element
    return elements * (std::pow(n, 3) * point_products(problem, n, geometry) +
                       lines * n * n * line_products(n, n, contraction, Parity::values));
  }
  const int q = quadrature_points(problem, order, geometry);
  double products = std::pow(q, 3) * point_products(problem, q, geometry);
  if (!is_collocated(problem))
    products += (n * n + n * q + q * q) *
                (line_products(q, n, contraction, Parity::values) + line_products(n, q, contraction, Parity::values));
  if (has_stiffness(problem)) products += 6 * q * q * line_products(q, q, contraction, Parity::derivatives);
  return elements * products;
}

}  // namespace miniapp::tensor
