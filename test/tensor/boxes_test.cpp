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

/// Boxes become parallelepipeds.
void shear(mesh::Mesh& mesh) {
  for (mesh::Point& x : mesh.vertices) x = {x[0] + 0.4 * x[1] - 0.2 * x[2], x[1] + 0.3 * x[2], x[2] - 0.1 * x[0]};
}

constexpr Kernel fast = runs_on_host ? Kernel::lanes : Kernel::lines;

}  // namespace

TEMPLATE_TEST_CASE("Kernels on boxes and parallelepipeds agree with the reference", "[tensor][boxes]", double, float) {
  const int order = GENERATE(from_range(tensor::built_orders())), components = GENERATE(1, 3);
  const Problem problem = any_problem();
  const bool turned = GENERATE(true, false);
  const auto [shape, geometry] =
      GENERATE(table<mesh::Shape, Geometry>({{mesh::Shape::boxes, Geometry::boxes},
                                             {mesh::Shape::boxes, Geometry::affine},
                                             {mesh::Shape::parallelepipeds, Geometry::affine}}));
  mesh::Mesh mesh = make_boxes(turned ? 3 : 17, 2, 3, turned);
  if (shape == mesh::Shape::parallelepipeds) shear(mesh);
  Discretisation d(std::move(mesh), problem, order, any_boundary(), lambda, components);
  REQUIRE(d.shape.shape == shape);

  const auto op = tensor::make_operator<TestType>({fast, geometry}, d);
  const tensor::Verification verified = verify(*op, tensor::Reference(d), d);

  CAPTURE(order, tensor::name(problem), components, turned, tensor::name(geometry));
  CHECK(verified.error <= verified.limit);
  CHECK(op->memory().factors <
        d.mesh->num_elements() * ((geometry == Geometry::boxes ? 4 : 7) * 8 + 1) * sizeof(TestType));
  d.lambda = 3 * lambda;
  op->update();
  const tensor::Verification updated = verify(*op, tensor::Reference(d), d);
  CHECK(updated.error <= updated.limit);
}

TEST_CASE("Elements with parallel edges are parallelepipeds, with right angles boxes", "[tensor][boxes]") {
  using mesh::Shape;
  const auto shape_of = [](const mesh::Mesh& mesh) { return mesh::common_shape(mesh).shape; };
  const bool turned = GENERATE(true, false);
  CHECK(shape_of(make_boxes(3, 2, 4, turned)) == Shape::boxes);
  mesh::Mesh moved = make_boxes(3, 2, 4, turned), slightly = moved, sheared = moved, curved = moved;
  moved.vertices[moved.vertices.size() / 2][1] += 1e-12;
  CHECK(shape_of(moved) == Shape::general);
  CHECK(mesh::common_shape(moved).rounding == 0);
  for (mesh::Point& x : slightly.vertices) x[0] += 1e-12 * x[1];
  CHECK(shape_of(slightly) == Shape::parallelepipeds);
  shear(sheared);
  CHECK(shape_of(sheared) == Shape::parallelepipeds);
  sheared.vertices.back()[2] += 1e-12;
  CHECK(shape_of(sheared) == Shape::general);
  mesh::curve(curved, 2, [](const mesh::Point& x) { return x; });
  CHECK(shape_of(curved) == Shape::general);
  CHECK(shape_of(make_shaken_box(2, 2, 2)) == Shape::general);
}

TEMPLATE_TEST_CASE("Elements that are small beside their coordinates are judged by the rounding of their vertices",
                   "[tensor][boxes]", double, float) {
  const auto [oblique, offset] = GENERATE(table<bool, double>({{false, 1000}, {true, 0}, {true, 1000}, {true, 5e5}}));
  const int order = tensor::built_orders().back();
  const Problem problem = any_problem();
  mesh::Mesh mesh = mesh::make_box(4, 3, 2);
  for (mesh::Point& x : mesh.vertices) {
    x = {x[0] / 16, x[1] / 16, x[2] / 20};
    if (oblique) x = {x[0] + 0.4 * x[1] - 0.2 * x[2], x[1] + 0.3 * x[2], x[2] - 0.1 * x[0]};
    for (double& at : x) at += offset;
  }
  const Discretisation d(std::move(mesh), problem, order, any_boundary(), lambda);
  REQUIRE(d.shape.shape == (oblique ? mesh::Shape::parallelepipeds : mesh::Shape::boxes));

  const tensor::Verification verified =
      verify(*tensor::make_operator<TestType>({fast, *d.suitable_geometry()}, d), tensor::Reference(d), d);

  CAPTURE(order, tensor::name(problem), oblique, offset);
  CHECK(verified.error <= verified.limit);
  // h / 2 is 1 / 128 and more: a rounded vertex moves by half of epsilon times its coordinates at most
  CHECK(d.shape.rounding <= 12 * 128 * 2.2e-16 * (offset + 1));
}

TEST_CASE("The special geometry of the elements is taken where there is no coefficient", "[tensor][boxes]") {
  const int order = tensor::built_orders().front();
  const auto [right, geometry] = GENERATE(table<bool, Geometry>({{true, Geometry::boxes}, {false, Geometry::affine}}));
  mesh::Mesh mesh = make_boxes(3, 2, 2, true);
  if (!right) shear(mesh);
  Discretisation d(std::move(mesh), Problem::bp3_0, order, Boundary::dirichlet, lambda);
  const Discretisation shaken(make_turned_box(3, 2, 2), Problem::bp3_0, order, Boundary::dirichlet, lambda);
  const Variant special{fast, geometry}, boxes{fast, Geometry::boxes};

  CHECK(tensor::fastest(d) == special);
  CHECK(tensor::why_not(special, d).empty());
  CHECK(tensor::why_not(boxes, d).empty() == right);
  CHECK(tensor::fastest(shaken).geometry < Geometry::affine);
  CHECK_THROWS_WITH(tensor::make_operator<double>(special, shaken),
                    contains("geometry " + tensor::name(geometry) + ": is of elements with " +
                             (right ? "right angles" : "parallel edges") + "; accepted are stored, computed"));
  d.set_coefficient(function([](std::int64_t, double x, double, double) { return 2 + x * x; }));
  CHECK(tensor::fastest(d).geometry < Geometry::affine);
  CHECK_THROWS_WITH(tensor::make_operator<double>(special, d), contains("has no coefficient"));
}
