// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>

#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/load.hpp"
#include "miniapp/tensor/reference.hpp"
#include "miniapp/tensor/verification.hpp"
#include "support/functions.hpp"
#include "support/variants.hpp"

namespace {

/// A smooth map of the unit cube, which no polynomial is.
mesh::Point bent(const mesh::Point& x) {
  return {x[0] + 0.1 * std::sin(2 * x[1]), x[1] + 0.1 * std::cos(2 * x[2]) * x[0], 1.5 * x[2] + 0.1 * std::exp(x[0])};
}
Discretisation curved_problem(Problem problem, int order, int geometry, Boundary boundary = Boundary::dirichlet) {
  mesh::Mesh mesh = make_turned_box(3, 2, 2);
  mesh::curve(mesh, geometry, bent);
  return {std::move(mesh), problem, order, boundary, test::lambda};
}

}  // namespace

TEMPLATE_TEST_CASE("Kernels on curved elements agree with the reference", "[tensor][curved]", double, float) {
  const Problem problem = any_problem();
  const int order = GENERATE(from_range(tensor::built_orders())), geometry = GENERATE(2, 4);
  if (order > 8) return;
  Discretisation d = curved_problem(problem, order, geometry);
  if (has_stiffness(problem) && geometry == 4)
    d.set_coefficient(
        function([](std::int64_t e, double x, double y, double) { return 1 + double(e % 3) + x * x * y * y; }));
  const tensor::Reference reference(d);

  const Kernel fast = runs_on_host ? Kernel::lanes : Kernel::lines;
  CHECK_THROWS_WITH(tensor::make_operator<TestType>({fast, Geometry::computed}, d),
                    contains("is of straight elements"));
  for (const Variant& variant : test::variants<TestType>(d)) {
    REQUIRE(variant.geometry == Geometry::stored);
    CAPTURE(tensor::name(variant), order, geometry, problem);
    const tensor::Verification verified = verify(*tensor::make_operator<TestType>(variant, d), reference, d);
    CHECK(verified.error <= verified.limit);
  }
}

TEST_CASE("The energies of linear functions are the volume of a curved cylinder's sector", "[tensor][curved]") {
  const Problem problem = GENERATE(Problem::bp1_0, Problem::bp3_0, Problem::bp3_5);
  double errors[2];
  for (const int fine : {0, 1}) {
    mesh::Mesh mesh = mesh::make_box(2, 2 + 2 * fine, 1);
    mesh::curve(mesh, 2, [](const mesh::Point& x) {
      return mesh::Point{(1 + x[0]) * std::cos(x[1]), (1 + x[0]) * std::sin(x[1]), x[2]};
    });
    const Discretisation d(std::move(mesh), problem, 4, Boundary::neumann, 0);
    std::vector<double> u(std::size_t(d.space.num_nodes), 1);
    if (has_stiffness(problem)) {
      const std::vector<mesh::Point> points = space::node_points(*d.mesh, d.space);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.6 * points[i][0] - 0.8 * points[i][1];  // |grad u| = 1
    }
    const Vector<double> x = to_device<double>(u), y = make_vector<double>("y", x.extent(0));
    tensor::Reference(d).apply(x, y);
    double energy = 0;
    const std::vector<double> Au = to_std(y);
    for (std::size_t i = 0; i < u.size(); ++i) energy += u[i] * Au[i];
    errors[fine] = std::abs(energy - 1.5);  // (2^2 - 1^2) / 2
  }
  CAPTURE(errors[0], errors[1]);
  CHECK(errors[1] < 1e-4);
  CHECK(std::log2(errors[0] / errors[1]) == Approx(4).margin(0.3));  // of a quadratic arc's area
}

TEST_CASE("Diagonals, loads and errors on curved elements are the reference's", "[tensor][curved]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 3, 6), geometry = GENERATE(2, 3);
  const Boundary boundary = any_boundary();
  const Discretisation d = curved_problem(problem, order, geometry, boundary);
  const tensor::Reference reference(d);
  const tensor::Manufactured u{boundary};

  CHECK_THAT(values(to_std(make_diagonal(d))),
             all_close<double>(values(to_std(reference.diagonal())), 20 * (order + 2)));
  CHECK_THAT(values(to_std(make_load(d, u, 2))),
             all_close<double>(values(to_std(reference.load(u, 2))), 20 * (order + 2)));
  const Vector<double> x = tensor::random_vector(d.space, 1);
  CHECK(relative_l2_error(d, x, u) == Approx(reference.relative_l2_error(x, u)).epsilon(1e-12));
}

TEST_CASE("A level has the curved elements of its problem", "[tensor][curved]") {
  const Discretisation level = curved_problem(Problem::bp3_0, 4, 3).of_order(2);
  const Discretisation direct = curved_problem(Problem::bp3_0, 2, 3);
  const Vector<double> x = tensor::random_vector(direct.space, 1), y = make_vector<double>("y", x.extent(0)),
                       z = make_vector<double>("z", x.extent(0));
  tensor::Reference(level).apply(x, y);
  tensor::Reference(direct).apply(x, z);
  CHECK_THAT(values(to_std(y)), all_close<double>(values(to_std(z)), 100));  // the order of atomics varies
}

TEST_CASE("A curved element that is inverted within is named", "[tensor][curved]") {
  mesh::Mesh mesh = mesh::make_box(3, 1, 1);
  mesh::curve(mesh, 2, [](const mesh::Point& x) { return x; });
  mesh.curved.nodes[27 + 13][2] += 2;
  CHECK_THROWS_WITH(Discretisation(std::move(mesh), Problem::bp3_0, 3, Boundary::neumann, 0),
                    contains("element 1 is inverted"));
}
