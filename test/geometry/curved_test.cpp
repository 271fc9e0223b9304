// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/curved.hpp"

#include <cmath>

#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "support/meshes.hpp"
#include "support/vectors.hpp"

namespace {

/// Degree 2, so that elements of order 2 and above have it exactly: of the coordinates of a box.
mesh::Point bent(const mesh::Point& x) {
  return {x[0] + 0.2 * x[1] * x[1], x[1] - 0.1 * x[0] * x[2], 2 * x[2] + 0.15 * x[0] * x[0]};
}
/// d bent_d / d x_a.
void slopes_of_bent(const mesh::Point& x, double (&slopes)[3][3]) {
  const double rows[3][3] = {{1, -0.1 * x[2], 0.3 * x[0]}, {0.4 * x[1], 1, 0}, {0, -0.1 * x[0], 2}};
  for (int a = 0; a < 3; ++a)
    for (int d = 0; d < 3; ++d) slopes[a][d] = rows[a][d];
}

double least(const Vector<const double>& values) {
  const auto host = to_host(values);
  return *std::min_element(host.data(), host.data() + host.extent(0));
}

}  // namespace

TEST_CASE("A curved element has the positions and tangents of the function that bends it", "[geometry][curved]") {
  const int order = GENERATE(2, 3, 4);
  const mesh::Mesh box = mesh::make_box(2, 1, 3);
  mesh::Mesh curved = box;
  mesh::curve(curved, order, bent);
  const std::vector<double> line{-0.7, 0.1, 1};
  for (std::size_t e = 0; e < box.num_elements(); ++e) {
    std::vector<mesh::Point> straight, visited;
    geometry::TensorPoints(box, line).visit(e, [&](std::size_t, const mesh::Point& x) { straight.push_back(x); });
    const geometry::TensorPoints points(curved, line);
    points.visit(e, [&](std::size_t, const mesh::Point& x) { visited.push_back(x); });
    points.visit_tangents(e, [&](std::size_t i, const mesh::Point& x, const double(&J)[3][3]) {
      const mesh::Point expected = bent(straight[i]);
      double slopes[3][3];
      slopes_of_bent(straight[i], slopes);
      const double halves[3] = {0.25, 0.5, 1. / 6};  // of the box's elements
      for (int d = 0; d < 3; ++d) {
        CHECK(x[d] == close<double>(expected[d], 100));
        CHECK(visited[i][d] == close<double>(x[d], 100));
        for (int a = 0; a < 3; ++a) CHECK(std::abs(J[a][d] - halves[a] * slopes[a][d]) < 1e-14);
      }
      mesh::Point one;
      double J_one[3][3];
      geometry::map_at(curved, e, {line[i % 3], line[i / 3 % 3], line[i / 9]}, one, J_one);
      for (int d = 0; d < 3; ++d) CHECK(std::abs(one[d] - x[d]) < 1e-14);
      for (int a = 0; a < 3; ++a)
        for (int d = 0; d < 3; ++d) CHECK(std::abs(J_one[a][d] - J[a][d]) < 1e-14);
    });
  }
}

TEST_CASE("Nodes of straight elements give the factors and the positions of trilinear maps", "[geometry][curved]") {
  const int order = GENERATE(2, 3, 4), points = GENERATE(2, 5);
  const mesh::Mesh straight = make_turned_box(3, 2, 2);
  mesh::Mesh curved = straight;
  mesh::curve(curved, order, [](const mesh::Point& x) { return x; });
  const geometry::CurvedMaps maps = geometry::make_curved(curved);
  const basis::Rule rule = basis::gauss(points);
  const Vector<const double> trilinear = geometry::make_trilinear(straight);
  const std::vector<double> k = random_numbers(straight.num_elements() * points * points * points, 1);
  const Vector<double> coefficient = to_device<double>(k);

  for (const bool mass_only : {false, true})
    CHECK_THAT(values(to_std(geometry::make_factors<double>(maps, rule, mass_only, coefficient))),
               all_close<double>(
                   values(to_std(geometry::make_factors<double>(trilinear, rule, mass_only, coefficient))), 300));
  const std::vector<double> all = to_std(geometry::make_factors<double>(maps, rule, false));
  const std::size_t of_element = geometry::num_factors * rule.size() * rule.size() * rule.size();
  std::vector<double> one(of_element);
  geometry::curved_factors(curved.curved.nodes[3 * curved.curved.per_element()].data(), order, rule,
                           geometry::curved_rows(order, rule.points), one.data());
  const auto of_third = all.begin() + std::ptrdiff_t(3 * of_element);
  CHECK_THAT(values(one),
             all_close<double>(values(std::vector<double>(of_third, of_third + std::ptrdiff_t(of_element))), 100));
  std::vector<double> positions[3];
  for (std::size_t e = 0; e < straight.num_elements(); ++e)
    geometry::TensorPoints(straight, rule.points).visit(e, [&](std::size_t, const mesh::Point& x) {
      for (int d = 0; d < 3; ++d) positions[d].push_back(x[d]);
    });
  positions[0].insert(positions[0].end(), positions[1].begin(), positions[1].end());
  positions[0].insert(positions[0].end(), positions[2].begin(), positions[2].end());
  CHECK_THAT(values(to_std(geometry::make_positions(maps, rule))), all_close<double>(values(positions[0]), 100));
}

TEST_CASE("An element whose corners are those of a cube is found inverted by its nodes", "[geometry][curved]") {
  const int order = GENERATE(2, 3, 4);
  mesh::Mesh mesh = mesh::make_box(2, 2, 1);
  mesh::curve(mesh, order, [](const mesh::Point& x) { return x; });
  const basis::Rule rule = basis::gauss(3);
  CHECK(geometry::find_inverted(geometry::make_curved(mesh), rule) == -1);
  CHECK(least(geometry::scaled_jacobians(geometry::make_curved(mesh))) == Approx(1));

  const int n = order + 1, middle = 1;
  mesh.curved.nodes[2 * mesh.curved.per_element() + std::size_t((middle * n + middle) * n + middle)][0] += 0.9;
  CHECK(geometry::find_inverted(geometry::make_curved(mesh), rule) == 2);
  CHECK(to_host(geometry::scaled_jacobians(geometry::make_curved(mesh)))(2) < 0);
  CHECK(to_host(geometry::scaled_jacobians(geometry::make_curved(mesh)))(3) == Approx(1));
}

TEST_CASE("An element is found inverted between all points where it is computed", "[geometry][curved]") {
  const int order = GENERATE(2, 3, 4);
  // det J = least + (y - 0.43)^2, where 0.43 is no node and no quadrature point of the middle one of three elements
  const auto narrowed_to = [&](double least) {
    mesh::Mesh mesh = mesh::make_box(1, 3, 1);
    mesh::curve(mesh, order, [&](const mesh::Point& x) {
      return mesh::Point{x[0] * (least + (x[1] - 0.43) * (x[1] - 0.43)), x[1], x[2]};
    });
    return geometry::make_curved(mesh);
  };
  CHECK(geometry::find_inverted_by_bounds(narrowed_to(1e-4)) == -1);
  CHECK(geometry::find_inverted_by_bounds(narrowed_to(-1e-4)) == 1);
  CHECK(geometry::find_inverted(narrowed_to(-1e-4), basis::gauss(2)) == 1);
}

TEST_CASE("The smallest scaled Jacobian is the sine of a sheared element", "[geometry][curved]") {
  mesh::Mesh mesh = mesh::make_box(3, 1, 1);
  for (mesh::Point& x : mesh.vertices) x[1] += x[0];  // by 45 degrees
  CHECK(least(geometry::scaled_jacobians(geometry::make_trilinear(mesh))) == Approx(std::sqrt(0.5)));
  mesh::curve(mesh, 2, [](const mesh::Point& x) { return x; });
  CHECK(least(geometry::scaled_jacobians(geometry::make_curved(mesh))) == Approx(std::sqrt(0.5)));
}

TEST_CASE("Nodes follow their elements where these change places", "[geometry][curved]") {
  mesh::Mesh mesh = mesh::make_box(2, 2, 2);
  mesh::curve(mesh, 3, bent);
  const auto corner = [](const mesh::Mesh& of, std::size_t e) { return of.curved.nodes[e * of.curved.per_element()]; };
  std::vector<Index> order{5, 2, 7, 0, 1, 3, 6, 4};
  for (const mesh::Mesh& moved : {mesh::reorder(mesh, order),
                                  mesh::reorder(mesh, to_device<Index>("cells", mesh.element_to_vertex.entries),
                                                to_device<Index>("order", order)),
                                  mesh::shuffle(mesh, 2)})
    for (std::size_t e = 0; e < mesh.num_elements(); ++e)
      CHECK(corner(moved, e) == moved.vertices[std::size_t(moved.element_to_vertex[e][0])]);
}

TEST_CASE("Curved elements are refused where straight ones are needed", "[geometry][curved]") {
  mesh::Mesh mesh = mesh::make_box(2, 1, 1);
  CHECK_THROWS_WITH(mesh::curve(mesh, 5, bent), contains("order 5: accepted are 2 to 4"));
  mesh::curve(mesh, 2, bent);
  CHECK_THROWS_WITH(mesh::curve(mesh, 2, bent), contains("of curved elements, of order 2"));
  CHECK_THROWS_WITH(mesh::deform(mesh, 0.1), contains("accepted are elements with straight edges"));
  mesh.curved.nodes.pop_back();
  CHECK_THROWS_WITH(geometry::make_curved(mesh), contains("curved 53: nodes; accepted are 54, 27 for each element"));
}
