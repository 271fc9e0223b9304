// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/end_face.hpp"

#include "support/prism_meshes.hpp"
#include "support/vectors.hpp"

namespace {

/// The unit cube, whose end x = 1 consists of quadrilaterals or of triangles with vertices moved in the plane.
mesh::Mesh make_end(bool of_triangles) {
  mesh::Mesh mesh = mesh::make_prism_box(3, 3, 3);
  for (mesh::Point& x : mesh.vertices) {
    if (of_triangles) x = {x[2], x[0], x[1]};
    const double bump = 4 * x[1] * (1 - x[1]) * x[2] * (1 - x[2]);
    x = {x[0], x[1] + 0.15 * bump, x[2] - 0.1 * bump};
  }
  mesh::rotate_elements(mesh, 4);
  return mesh;
}

}  // namespace

TEST_CASE("Integrals over an end are exact for quadratic functions, and their moments too", "[elasticity][end_face]") {
  const int order = GENERATE(range(1, 8));
  const mesh::Mesh mesh = make_end(GENERATE(false, true));
  const space::Space space = space::make_space(mesh, order, 3, space::Boundary::neumann, Layout::aos);
  const std::vector<mesh::Point> nodes = node_points(mesh, space);

  const std::vector<double> w =
      elasticity::integrate_end(mesh, space, 1, 1e-9, [](double y, double z) { return 1 + 3 * y * z - 6 * z * z; });

  double sum = 0, moment = 0, elsewhere = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += w[i];
    moment += w[i] * nodes[i][1];
    if (nodes[i][0] < 0.999) elsewhere = std::max(elsewhere, std::fabs(w[i]));
  }
  const double terms = 9 * std::pow(order + 2, 2);
  CHECK(sum == close<double>(1 + 0.75 - 2, terms, 3));
  CHECK(moment == close<double>(0.5 + 0.5 - 1, terms, 3));
  CHECK(elsewhere <= tolerance<double>(terms, 1));
}

TEST_CASE("An end without faces is rejected", "[elasticity][end_face]") {
  const mesh::Mesh mesh = make_end(false);
  const space::Space space = space::make_space(mesh, 1, 3, space::Boundary::neumann, Layout::aos);

  CHECK_THROWS_AS(elasticity::integrate_end(mesh, space, 0.5, 1e-9, [](double, double) { return 1.; }), InputError);
}
