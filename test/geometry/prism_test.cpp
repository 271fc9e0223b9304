// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/prism.hpp"

#include <limits>

#include "miniapp/basis/prism.hpp"
#include "miniapp/mesh/mesh.hpp"
#include "support/prisms.hpp"

namespace {

/// The signed volume of the tetrahedron of the origin and a triangle.
double cone(const double* a, const double* b, const double* c) {
  return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
          a[2] * (b[0] * c[1] - b[1] * c[0])) /
         6;
}

/// The volume of a prism by its surface: a side is a bilinear patch, whose cone is the mean of those of its two
/// splittings into triangles.
double volume(const std::vector<double>& vertices) {
  const auto v = [&](int i) { return &vertices[3 * i]; };
  double sum = cone(v(0), v(2), v(1)) + cone(v(3), v(4), v(5));
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    sum += (cone(v(a), v(b), v(b + 3)) + cone(v(a), v(b + 3), v(a + 3)) + cone(v(a), v(b), v(a + 3)) +
            cone(v(b), v(b + 3), v(a + 3))) /
           2;
  }
  return sum;
}

/// Local numberings of one prism that keep its orientation: turns about z, with and without a half turn about x.
constexpr int numberings[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
                                  {3, 5, 4, 0, 2, 1}, {5, 4, 3, 2, 1, 0}, {4, 3, 5, 1, 0, 2}};

std::vector<double> renumber(const std::vector<double>& vertices, const int (&numbering)[6]) {
  std::vector<double> renumbered;
  for (const int v : numbering)
    renumbered.insert(renumbered.end(), vertices.begin() + 3 * v, vertices.begin() + 3 * (v + 1));
  return renumbered;
}

std::vector<mesh::Point> physical_nodes(const std::vector<double>& vertices, int p) {
  std::vector<mesh::Point> nodes;
  for (const auto& [r, s, t] : basis::prism_node_points(p)) {
    double x[3];
    geometry::prism_point(vertices.data(), r, s, t, x);
    nodes.push_back({x[0], x[1], x[2]});
  }
  return nodes;
}

/// Number of nodes with the same coordinates in both sets.
int count_common(const std::vector<mesh::Point>& a, const std::vector<mesh::Point>& b) {
  int common = 0;
  for (const mesh::Point& x : a)
    common += std::any_of(b.begin(), b.end(), [&](const mesh::Point& y) {
      return std::max({std::fabs(x[0] - y[0]), std::fabs(x[1] - y[1]), std::fabs(x[2] - y[2])}) <
             tolerance<double>(18, 3);
    });
  return common;
}

}  // namespace

TEST_CASE("Neighbours' nodes coincide on a shared face, however their vertices are numbered", "[geometry][prism]") {
  const int p = GENERATE(1, 2, 3, 5, 7), which = GENERATE(range(0, 6));
  const std::vector<double> left = make_prism(6);
  std::vector<double> beside = left, above = left;
  for (int d = 0; d < 3; ++d) {
    for (const int end : {0, 9}) {  // shares vertices 1, 2, 4, 5, which are its 0, 2, 3, 5
      beside[end + d] = left[end + 3 + d];
      beside[end + 6 + d] = left[end + 6 + d];
      beside[end + 3 + d] = left[end + 3 + d] + left[end + 6 + d] - left[end + d] + 0.1 * (d == end / 9);
    }
    for (int v = 0; v < 3; ++v) {
      above[3 * v + d] = left[3 * (v + 3) + d];
      above[3 * (v + 3) + d] = 2 * left[3 * (v + 3) + d] - left[3 * v + d] + 0.1 * (d == v);
    }
  }
  geometry::require_positive(beside);
  geometry::require_positive(above);

  const auto nodes = physical_nodes(left, p);

  CHECK(count_common(nodes, physical_nodes(renumber(beside, numberings[which]), p)) == (p + 1) * (p + 1));
  CHECK(count_common(nodes, physical_nodes(renumber(above, numberings[which]), p)) == basis::triangle_size(p));
}

TEST_CASE("A prism's map takes the reference vertices to the prism's vertices", "[geometry][prism]") {
  const std::vector<double> vertices = make_prism(1), reference = reference_prism();

  for (int v = 0; v < 6; ++v) {
    double x[3];
    geometry::prism_point(vertices.data(), reference[3 * v], reference[3 * v + 1], reference[3 * v + 2], x);
    for (int d = 0; d < 3; ++d) CHECK(x[d] == close<double>(vertices[3 * v + d], 6, 3));
  }
}

TEST_CASE("J is the slope of a prism's map", "[geometry][prism]") {
  const unsigned seed = GENERATE(range(1U, 9U));
  const std::vector<double> vertices = make_prism(seed);
  const double at[3] = {0.2, 0.35, -0.3}, step = 0.25;
  double J[3][3];

  geometry::prism_jacobian(vertices.data(), at[0], at[1], at[2], J);

  for (int a = 0; a < 3; ++a) {  // the map is linear along each direction: its slope is a difference
    double high[3] = {at[0], at[1], at[2]}, low[3] = {at[0], at[1], at[2]}, x[3], y[3];
    high[a] += step;
    low[a] -= step;
    geometry::prism_point(vertices.data(), high[0], high[1], high[2], x);
    geometry::prism_point(vertices.data(), low[0], low[1], low[2], y);
    for (int d = 0; d < 3; ++d) CHECK(J[d][a] == close<double>((x[d] - y[d]) / (2 * step), 18, 5));
  }
}

TEST_CASE("The inverse of J times J is one, also in single precision", "[geometry][prism]") {
  const std::vector<double> vertices = make_prism(GENERATE(range(1U, 9U)));
  const std::vector<float> single(vertices.begin(), vertices.end());
  double J[3][3], inverse[3][3];
  float J_single[3][3], inverse_single[3][3];

  geometry::prism_jacobian(vertices.data(), 0.3, 0.1, 0.7, J);
  geometry::prism_jacobian(single.data(), 0.3F, 0.1F, 0.7F, J_single);
  const double det = invert(J, inverse);
  const float det_single = invert(J_single, inverse_single);

  CHECK(double(det_single) == close<float>(det, 18, 5));
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      double product = 0, product_single = 0;
      for (int d = 0; d < 3; ++d) {
        product += inverse[a][d] * J[d][b];
        product_single += double(inverse_single[a][d]) * double(J_single[d][b]);
      }
      CHECK(product == close<double>(a == b, 18, 5));
      CHECK(product_single == close<float>(a == b, 18, 5));
    }
  }
}

TEST_CASE("The reference prism maps to itself: J is one", "[geometry][prism]") {
  double J[3][3], inverse[3][3];

  geometry::prism_jacobian(reference_prism().data(), 0.25, 0.5, 0.125, J);

  CHECK(invert(J, inverse) == 1);
  for (int a = 0; a < 3; ++a)
    for (int d = 0; d < 3; ++d) CHECK(J[d][a] == (a == d));
}

TEST_CASE("det J integrates to the volume of a prism, by every rule", "[geometry][prism]") {
  const unsigned seed = GENERATE(range(1U, 9U));
  const int p = GENERATE(1, 2, 7);
  const std::vector<double> vertices = make_prism(seed);
  const basis::PrismTables tables = basis::make_prism_tables(p);

  double sum = 0;
  for (int q = 0; q < tables.num_points; ++q) {
    const auto [r, s, t] = tables.points[q];
    double J[3][3], inverse[3][3];
    geometry::prism_jacobian(vertices.data(), r, s, t, J);
    sum += tables.weights[q] * invert(J, inverse);
  }

  CHECK(sum == close<double>(volume(vertices), tables.num_points));
}

TEST_CASE("The least det J is below all others of the prism and is reached", "[geometry][prism]") {
  const std::vector<double> vertices = make_prism(GENERATE(range(1U, 9U)));
  const double least = geometry::least_determinant(vertices.data());

  double seen = std::numeric_limits<double>::infinity();
  constexpr int n = 40;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; i + j <= n; ++j)
      for (int k = -n; k <= n; ++k) {
        double J[3][3], inverse[3][3];
        geometry::prism_jacobian(vertices.data(), double(i) / n, double(j) / n, double(k) / n, J);
        seen = std::min(seen, invert(J, inverse));
      }
  CHECK(least <= seen + tolerance<double>(18, 5));
  CHECK(seen - least < 1e-3);  // the samples are at most 1/40 from the minimum of a parabola
}

TEST_CASE("A twisted prism that is inverted only between its ends is found", "[geometry][prism]") {
  std::vector<double> vertices = reference_prism();
  const double turned[6] = {-0.4, -0.5, -1.4, -0.5, -0.4, -1.5};  // the top, almost half a turn
  for (int v = 0; v < 3; ++v)
    for (int d = 0; d < 2; ++d) vertices[3 * (v + 3) + d] = turned[2 * v + d];

  CHECK(geometry::least_determinant(vertices.data()) < 0);
  for (int v = 0; v < 6; ++v) {
    const std::vector<double> at = reference_prism();
    double J[3][3], inverse[3][3];
    geometry::prism_jacobian(vertices.data(), at[3 * v], at[3 * v + 1], at[3 * v + 2], J);
    CHECK(invert(J, inverse) > 0);
  }
}

TEST_CASE("Proper prisms pass, and the first inverted one is named", "[geometry][prism]") {
  std::vector<double> prisms;
  for (unsigned seed = 1; seed < 9; ++seed) {
    const std::vector<double> prism = make_prism(seed);
    prisms.insert(prisms.end(), prism.begin(), prism.end());
  }
  CHECK_NOTHROW(geometry::require_positive(prisms));

  const std::size_t victim = GENERATE(0, 3, 7);
  for (int d = 0; d < 9; ++d) std::swap(prisms[18 * victim + d], prisms[18 * victim + 9 + d]);  // bottom and top

  CHECK_THROWS_AS(geometry::require_positive(prisms), InputError);
  CHECK_THROWS_WITH(geometry::require_positive(prisms), contains("element " + std::to_string(victim) + " is inverted"));
}

TEST_CASE("A flat prism and one with a vertex that is NaN are rejected", "[geometry][prism]") {
  std::vector<double> flat = reference_prism(), lost = reference_prism();
  for (int v = 0; v < 6; ++v) flat[3 * v + 2] = 0;
  lost[GENERATE(range(0, 18))] = std::numeric_limits<double>::quiet_NaN();

  CHECK_THROWS_AS(geometry::require_positive(flat), InputError);
  CHECK_THROWS_AS(geometry::require_positive(lost), InputError);
}
