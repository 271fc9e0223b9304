// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/prism.hpp"

#include <map>
#include <numeric>

#include "support/all_close.hpp"

namespace {

/// x^a y^b z^c, and zero where a derivative took a power below zero.
double monomial(const basis::PrismPoint& x, int a, int b, int c) {
  return a < 0 || b < 0 || c < 0 ? 0 : std::pow(x[0], a) * std::pow(x[1], b) * std::pow(x[2], c);
}

/// The largest sum over shape functions of the magnitudes at one point.
template <class Entry>
double row_scale(const basis::PrismTables& tables, const Entry& entry) {
  double most = 0;
  for (int q = 0; q < tables.num_points; ++q) {
    double sum = 0;
    for (int r = 0; r < tables.num_functions; ++r) sum += std::fabs(entry(q, r));
    most = std::max(most, sum);
  }
  return most;
}

/// The vertices of the reference prism.
constexpr double vertices[6][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};

}  // namespace

TEST_CASE("Numbers of shape functions and points of prisms are those of the paper's table 1", "[basis][prism]") {
  const int functions[] = {6, 18, 40, 75, 126, 196, 288}, points[] = {6, 18, 48, 80, 150, 231, 336};

  for (int p = 1; p <= basis::largest_prism_order; ++p) {
    const basis::PrismTables tables = basis::make_prism_tables(p);
    CHECK(basis::number_of_shape_functions(p) == functions[p - 1]);
    CHECK(basis::number_of_points(p) == points[p - 1]);
    CHECK(tables.num_functions == functions[p - 1]);
    CHECK(tables.num_points == points[p - 1]);
    CHECK(tables.values.size() == std::size_t(functions[p - 1]) * points[p - 1]);
    CHECK(tables.derivatives.size() == 3 * tables.values.size());
    CHECK(basis::prism_nodes(p).size() == std::size_t(functions[p - 1]));
    CHECK(basis::prism_node_points(p).size() == std::size_t(functions[p - 1]));
  }
}

TEST_CASE("The points' weights sum to the volume of the reference prism", "[basis][prism]") {
  const basis::PrismTables tables = basis::make_prism_tables(GENERATE(range(1, 8)));

  CHECK(std::accumulate(tables.weights.begin(), tables.weights.end(), 0.0) == close<double>(1, tables.num_points));
}

TEST_CASE("Shape functions sum to one and their derivatives to zero", "[basis][prism]") {
  const int p = GENERATE(range(1, 8));
  const basis::PrismTables tables = basis::make_prism_tables(p);

  for (int q = 0; q < tables.num_points; ++q) {
    double sum = 0, slopes[3] = {0, 0, 0};
    for (int r = 0; r < tables.num_functions; ++r) {
      sum += tables.value(q, r);
      for (int d = 0; d < 3; ++d) slopes[d] += tables.derivative(d, q, r);
    }
    CHECK(sum == close<double>(1, tables.num_functions));
    for (int d = 0; d < 3; ++d)
      CHECK(slopes[d] == close<double>(0, tables.num_functions,
                                       row_scale(tables, [&](int a, int r) { return tables.derivative(d, a, r); })));
  }
}

TEST_CASE("Shape functions reproduce the polynomials of their space and all derivatives", "[basis][prism]") {
  const int p = GENERATE(range(1, 8));
  const basis::PrismTables tables = basis::make_prism_tables(p);
  const auto nodes = basis::prism_node_points(p);
  double scale[4];
  for (int d = 0; d < 4; ++d)
    scale[d] = row_scale(tables, [&](int q, int r) { return d < 3 ? tables.derivative(d, q, r) : tables.value(q, r); });

  for (int a = 0; a <= p; ++a) {
    for (int b = 0; a + b <= p; ++b) {
      for (int c = 0; c <= p; c += p) {
        Values actual[4], expected[4];
        for (int q = 0; q < tables.num_points; ++q) {
          double sum[4] = {0, 0, 0, 0};
          for (int r = 0; r < tables.num_functions; ++r) {
            const double u = monomial(nodes[r], a, b, c);
            for (int d = 0; d < 3; ++d) sum[d] += tables.derivative(d, q, r) * u;
            sum[3] += tables.value(q, r) * u;
          }
          const basis::PrismPoint& x = tables.points[q];
          const double exact[4] = {a * monomial(x, a - 1, b, c), b * monomial(x, a, b - 1, c),
                                   c * monomial(x, a, b, c - 1), monomial(x, a, b, c)};
          for (int d = 0; d < 4; ++d) {
            actual[d].entries.push_back(sum[d]);
            expected[d].entries.push_back(exact[d]);
          }
        }
        CAPTURE(p, a, b, c);
        for (int d = 0; d < 4; ++d)
          CHECK_THAT(actual[d], all_close<double>(expected[d], tables.num_functions, scale[d]));
      }
    }
  }
}

TEST_CASE("Whole tables are products of those of the triangle and the line, the line slowest", "[basis][prism]") {
  const basis::PrismTables tables = basis::make_prism_tables(3);
  const int ql = 2, qt = 7, k = 1, i = 4, q = ql * 12 + qt, r = k * 10 + i;

  CHECK(tables.value(q, r) == tables.triangle.values(qt, i) * tables.line_values(ql, k));
  CHECK(tables.derivative(0, q, r) == tables.triangle.x_derivatives(qt, i) * tables.line_values(ql, k));
  CHECK(tables.derivative(1, q, r) == tables.triangle.y_derivatives(qt, i) * tables.line_values(ql, k));
  CHECK(tables.derivative(2, q, r) == tables.triangle.values(qt, i) * tables.line_derivatives(ql, k));
  CHECK(tables.points[q][0] == tables.triangle_rule.points[qt][0]);
  CHECK(tables.points[q][2] == tables.line_rule.points[ql]);
}

TEST_CASE("Nodes of the prism lie on the vertices, edges and faces that they name", "[basis][prism]") {
  const int p = GENERATE(range(1, 8));
  const auto nodes = basis::prism_nodes(p);
  const auto points = basis::prism_node_points(p);
  // points on the coordinate planes of the reference prism: x + y = 1, x = 0, y = 0 opposite the vertices 0, 1, 2
  const auto on_side = [](const basis::PrismPoint& x, int e) {
    return std::fabs(e == 0 ? 1 - x[0] - x[1] : x[e - 1]) < tolerance<double>(1, 1);
  };
  const auto on_end = [](const basis::PrismPoint& x, int top) { return x[2] == (top ? 1 : -1); };

  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const basis::PrismNode& node = nodes[r];
    const basis::PrismPoint& x = points[r];
    const int i = node.index, sides = on_side(x, 0) + on_side(x, 1) + on_side(x, 2), ends = on_end(x, 0) + on_end(x, 1);
    CAPTURE(p, r, i);
    CHECK(r == std::size_t(node.line * basis::triangle_size(p) + basis::triangle_node(p, node.triangle)));
    switch (node.entity) {
      case basis::Entity::vertex:
        CHECK((sides == 2 && ends == 1));
        for (int d = 0; d < 3; ++d) CHECK(x[d] == close<double>(vertices[i][d], 1, 1));
        break;
      case basis::Entity::edge:
        if (i < 6) CHECK((sides == 1 && on_side(x, i % 3) && on_end(x, i / 3)));
        if (i >= 6) CHECK((sides == 2 && ends == 0 && !on_side(x, i - 6)));
        break;
      case basis::Entity::face:
        if (i < 2) CHECK((sides == 0 && on_end(x, i)));
        if (i >= 2) CHECK((sides == 1 && ends == 0 && on_side(x, i - 2)));
        break;
      case basis::Entity::inside:
        CHECK((sides == 0 && ends == 0 && i == 0));
        break;
    }
  }
}

TEST_CASE("Each vertex has one node, each edge p - 1, each face its inner ones", "[basis][prism]") {
  const int p = GENERATE(range(1, 8));
  std::map<std::pair<basis::Entity, int>, int> count;
  for (const basis::PrismNode& node : basis::prism_nodes(p)) ++count[{node.entity, node.index}];

  for (int v = 0; v < 6; ++v) CHECK(count[{basis::Entity::vertex, v}] == 1);
  for (int e = 0; e < 9; ++e) CHECK(count[{basis::Entity::edge, e}] == p - 1);
  for (int f = 0; f < 2; ++f) CHECK(count[{basis::Entity::face, f}] == (p - 1) * (p - 2) / 2);
  for (int f = 2; f < 5; ++f) CHECK(count[{basis::Entity::face, f}] == (p - 1) * (p - 1));
  CHECK(count[{basis::Entity::inside, 0}] == (p - 1) * (p - 1) * (p - 2) / 2);
}

TEST_CASE("A prism of an order without a quadrature rule is rejected", "[basis][prism]") {
  const int p = GENERATE(-1, 0, 8);

  CHECK_THROWS_WITH(basis::make_prism_tables(p), contains("prism of order"));
  CHECK_THROWS_WITH(basis::prism_nodes(p), contains("prism of order"));
  CHECK_THROWS_WITH(basis::prism_node_points(p), contains("prism of order"));
  CHECK_THROWS_WITH(basis::number_of_points(p), contains("accepted are 1..7"));
}
