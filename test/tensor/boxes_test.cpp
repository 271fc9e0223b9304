// SPDX-License-Identifier: BSD-3-Clause

#include "miniapp/tensor/reference.hpp"
#include "miniapp/tensor/verification.hpp"
#include "support/catch.hpp"
#include "support/functions.hpp"
#include "support/variants.hpp"

namespace {

/// Boxes of different lengths that share directions, or not, in a position of their own.
mesh::Mesh make_boxes(int nx, int ny, int nz, bool turned) {
  mesh::Mesh mesh = mesh::make_box(nx, ny, nz);
  constexpr double directions[3][3] = {{2. / 3, 2. / 3, 1. / 3}, {-2. / 3, 1. / 3, 2. / 3}, {1. / 3, -2. / 3, 2. / 3}};
  for (mesh::Point& x : mesh.vertices) {
    const double y[3] = {x[0] * x[0] + x[0], 3 * x[1], 0.4 * x[2] * (2 - x[2])};
    for (int d = 0; d < 3; ++d) {
      x[d] = 1. / (d + 1);
      for (int a = 0; a < 3; ++a) x[d] += directions[a][d] * y[a];
    }
  }
  if (turned) mesh::rotate_elements(mesh, 1);
  return mesh;
}

constexpr Kernel fast = runs_on_host ? Kernel::lanes : Kernel::lines;

}  // namespace

TEMPLATE_TEST_CASE("Kernels on boxes agree with the reference", "[tensor][boxes]", double, float) {
  const int order = GENERATE(from_range(tensor::built_orders())), components = GENERATE(1, 3);
  const Problem problem = any_problem();
  const bool turned = GENERATE(true, false);
  const Discretisation d(make_boxes(turned ? 3 : 17, 2, 3, turned), problem, order, any_boundary(), lambda, components);
  REQUIRE(d.why_no_boxes().empty());
  const tensor::Reference reference(d);

  const auto op = tensor::make_operator<TestType>({fast, Geometry::boxes}, d);
  const tensor::Verification verified = verify(*op, reference, d);

  CAPTURE(order, tensor::name(problem), components, turned);
  CHECK(verified.error <= verified.limit);
  CHECK(op->memory().factors < d.mesh->num_elements() * 33 * sizeof(TestType));
}

TEST_CASE("Only elements with right angles and straight, parallel edges are boxes", "[tensor][boxes]") {
  const bool turned = GENERATE(true, false);
  CHECK(mesh::consists_of_boxes(make_boxes(3, 2, 4, turned)));
  mesh::Mesh moved = make_boxes(3, 2, 4, turned), sheared = moved, curved = moved;
  moved.vertices[moved.vertices.size() / 2][1] += 1e-12;
  CHECK_FALSE(mesh::consists_of_boxes(moved));
  for (mesh::Point& x : sheared.vertices) x[0] += 1e-12 * x[1];
  CHECK_FALSE(mesh::consists_of_boxes(sheared));
  mesh::curve(curved, 2, [](const mesh::Point& x) { return x; });
  CHECK_FALSE(mesh::consists_of_boxes(curved));
  CHECK_FALSE(mesh::consists_of_boxes(make_shaken_box(2, 2, 2)));
  mesh::Mesh far = mesh::make_box(64, 3, 3);  // spacings of 1 / 64 and 1 / 3 beside coordinates of 1000
  for (mesh::Point& x : far.vertices) x = {1000 + x[0], 1000 - x[1], 7 * x[2]};
  CHECK(mesh::consists_of_boxes(far));
}

TEST_CASE("Boxes are taken where all elements are boxes and there is no coefficient", "[tensor][boxes]") {
  const int order = tensor::built_orders().front();
  Discretisation d(make_boxes(3, 2, 2, true), Problem::bp3_0, order, Boundary::dirichlet, lambda);
  const Discretisation shaken(make_turned_box(3, 2, 2), Problem::bp3_0, order, Boundary::dirichlet, lambda);
  const Variant boxes{fast, Geometry::boxes};

  CHECK(tensor::fastest(d) == boxes);
  CHECK(tensor::why_not(boxes, d).empty());
  CHECK(tensor::fastest(shaken).geometry != Geometry::boxes);
  CHECK_THROWS_WITH(tensor::make_operator<double>(boxes, shaken),
                    contains("geometry boxes: is of elements with right angles"));
  d.set_coefficient(function([](std::int64_t, double x, double, double) { return 2 + x * x; }));
  CHECK(tensor::fastest(d).geometry != Geometry::boxes);
  CHECK_THROWS_WITH(tensor::make_operator<double>(boxes, d), contains("geometry boxes: has no coefficient"));
}
