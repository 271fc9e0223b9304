// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/reference.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "miniapp/tensor/verification.hpp"
#include "support/functions.hpp"
#include "support/variants.hpp"

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Differs from element to element, and within them.
double k(std::int64_t element, double x, double y, double z) { return 1 + double(element % 3) + x * x + y * z; }

std::vector<mesh::CellSide> sides_of(const Discretisation& d, int remainder) {
  std::vector<mesh::CellSide> sides;
  for (Index e = 0; e < Index(d.mesh->num_elements()); ++e)
    if (e % 3 == remainder) sides.push_back({e, int(e) % 6});
  return sides;
}

/// With a coefficient, constrained sides and a surface mass.
Discretisation full_problem(Problem problem, int order, int components = 1) {
  Discretisation d(make_turned_box(3, 2, 2), problem, order, Boundary::neumann, test::lambda, components);
  if (has_stiffness(problem)) d.set_coefficient(function(k));
  d.constrain(sides_of(d, 0));
  d.add_surface_mass({sides_of(d, 1), function([](double x, double, double) { return 2 + x; })});
  return d;
}

}  // namespace

TEMPLATE_TEST_CASE("Kernels with a coefficient, constrained sides and a surface mass agree with the reference",
                   "[tensor][coefficient]", double, float) {
  const Problem problem = any_problem();
  const int order = GENERATE(from_range(tensor::built_orders()));
  if (order > 8) return;
  const Discretisation d = full_problem(problem, order);
  const tensor::Reference reference(d);

  for (const Variant& variant : test::variants<TestType>(d)) {
    if (!takes_coefficient(variant.kernel)) continue;
    CAPTURE(tensor::name(variant), order, problem);
    const tensor::Verification verified = verify(*tensor::make_operator<TestType>(variant, d), reference, d);
    CHECK(verified.error <= verified.limit);
  }
}

TEMPLATE_TEST_CASE("Kernels take another lambda, coefficient and surface mass by update()", "[tensor][coefficient]",
                   double, float) {
  const Problem problem = any_problem();
  const int order = GENERATE(from_range(tensor::built_orders())), components = GENERATE(1, 2);
  if (order > 8) return;
  Discretisation d = full_problem(problem, order, components);
  std::vector<Variant> variants;
  std::vector<std::unique_ptr<tensor::ElementOperator<TestType>>> operators;
  for (const Variant& variant : test::variants<TestType>(d)) {
    if (!takes_coefficient(variant.kernel)) continue;
    variants.push_back(variant);
    operators.push_back(tensor::make_operator<TestType>(variant, d));
  }
  const auto check = [&] {
    const tensor::Reference reference(d);
    for (std::size_t i = 0; i < variants.size(); ++i) {
      CAPTURE(tensor::name(variants[i]), order, problem, components);
      operators[i]->update();
      const tensor::Verification verified = verify(*operators[i], reference, d);
      CHECK(verified.error <= verified.limit);
    }
  };
  d.lambda = 7;
  check();
  if (has_stiffness(problem)) d.set_coefficient(function([](double x, double, double z) { return 9 + x - z; }));
  d.set_surface_masses({{sides_of(d, 2), function([](double, double y, double) { return 5 + y; })}});
  check();
  d.set_surface_masses({});
  d.lambda = 0.1;
  check();
}

TEST_CASE("An operator that was made without a coefficient takes none", "[tensor][coefficient]") {
  const int order = tensor::built_orders().front();
  Discretisation d(make_turned_box(2, 2, 2), Problem::bp3_0, order, Boundary::neumann, 1);
  const auto op = tensor::make_operator<double>(tensor::fastest(d), d);
  d.set_coefficient(function(k));
  CHECK_THROWS_WITH(op->update(), contains("coefficient: given; accepted is none"));
}

TEST_CASE("A constant coefficient scales the stiffness and leaves the mass", "[tensor][coefficient]") {
  const Problem problem = GENERATE(Problem::bp3_0, Problem::bp3_5);
  const int order = GENERATE(1, 2, 5);
  Discretisation mass(make_turned_box(2, 2, 2), problem, order, Boundary::dirichlet, 3);
  const Discretisation scaled = [&] {
    Discretisation d(make_turned_box(2, 2, 2), problem, order, Boundary::dirichlet, 12);
    return d;
  }();
  mass.set_coefficient(function([](double, double, double) { return 0.25; }));
  const Vector<double> x = tensor::random_vector(mass.space, 1), y = make_vector<double>("y", x.extent(0)),
                       z = make_vector<double>("z", x.extent(0));
  tensor::Reference(mass).apply(x, y);    // (K / 4 + 3 M) x
  tensor::Reference(scaled).apply(x, z);  // (K + 12 M) x

  std::vector<double> quarter = to_std(z);
  for (double& value : quarter) value /= 4;
  CHECK_THAT(values(to_std(y)), all_close<double>(values(quarter), std::pow(order + 2., 3)));
}

TEST_CASE("The energy of a linear function is the integral of the coefficient, and of alpha on sides",
          "[tensor][coefficient]") {
  const Problem problem = GENERATE(Problem::bp3_0, Problem::bp3_5);
  Discretisation d(mesh::make_box(2, 3, 2), problem, 4, Boundary::neumann, 0);
  d.set_coefficient(function([](double x, double y, double) { return 1 + x * y; }));
  std::vector<mesh::CellSide> top;  // z = 1
  for (Index e = 6; e < 12; ++e) top.push_back({e, 5});
  d.add_surface_mass({top, function([](double x, double, double) { return 2 + x; })});
  const std::vector<mesh::Point> points = space::node_points(*d.mesh, d.space);
  std::vector<double> u;
  for (const mesh::Point& x : points) u.push_back(x[1]);  // grad u = e_y
  const Vector<double> x = to_device<double>(u), y = make_vector<double>("y", x.extent(0));
  tensor::Reference(d).apply(x, y);

  double energy = 0;
  const std::vector<double> Au = to_std(y);
  for (std::size_t i = 0; i < u.size(); ++i) energy += u[i] * Au[i];
  // 1 + 1/4 of the volume; (2 + 1/2) / 3 of the side
  CHECK(energy == close<double>(1.25 + 2.5 / 3, 1000));
}

TEST_CASE("The fast diagonal of a coefficient and a surface mass is the reference's", "[tensor][coefficient]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 3, 6, 9);
  const Discretisation d = full_problem(problem, order);

  CHECK_THAT(values(to_std(make_diagonal(d))),
             all_close<double>(values(to_std(tensor::Reference(d).diagonal())), 20 * (order + 2)));
}

TEST_CASE("A level has the coefficient, the sides and the surface mass", "[tensor][coefficient]") {
  const Discretisation d = full_problem(Problem::bp3_0, 3), direct = full_problem(Problem::bp3_0, 2);
  const Discretisation level = d.of_order(2);
  const Vector<double> x = tensor::random_vector(direct.space, 1), y = make_vector<double>("y", x.extent(0)),
                       z = make_vector<double>("z", x.extent(0));
  tensor::Reference(level).apply(x, y);
  tensor::Reference(direct).apply(x, z);

  CHECK(level.space.masked == direct.space.masked);
  CHECK_THAT(values(to_std(y)), all_close<double>(values(to_std(z)), 100));  // the order of atomics varies
}

TEST_CASE("A level of a space with nodes that were constrained one by one is constrained on the surface",
          "[tensor][coefficient]") {
  Discretisation d(make_turned_box(2, 2, 2), Problem::bp3_0, 3, Boundary::neumann, 0);
  CHECK(d.of_order(1).space.masked.empty());
  std::vector<char> held(std::size_t(d.space.num_nodes), 0);
  held.front() = 1;
  space::hold(d.space, held);

  const Discretisation surface(d.mesh, Problem::bp3_0, 1, Boundary::dirichlet, 0);
  CHECK(d.of_order(1).space.masked == surface.space.masked);
}

TEST_CASE("Tensor cores, and values that are not positive, are refused", "[tensor][coefficient]") {
  Discretisation d(mesh::make_box(2, 1, 1), Problem::bp3_0, 2, Boundary::neumann, 1);
  CHECK_THROWS_WITH(d.set_coefficient(function([](double x, double, double) { return 0.5 - x; })),
                    contains("coefficient") && contains("accepted are numbers above 0"));
  CHECK_THROWS_WITH(d.set_coefficient(function([](double, double, double) { return no_number; })),
                    contains("coefficient nan: at ("));
  CHECK_THROWS_WITH(d.add_surface_mass({{{0, 0}}, function([](double, double, double) { return -1.; })}),
                    contains("alpha -1: at (0, 0, 0)"));
  Discretisation set(mesh::make_box(2, 1, 1), Problem::bp3_0, 2, Boundary::neumann, 1);
  set.set_coefficient(function([](double, double, double) { return 2.; }));
  const Variant tiles{Kernel::tiles, Geometry::computed};
  if (why_not(tiles, set.problem, set.order, sizeof(double)).empty())
    CHECK_THROWS_WITH(tensor::make_operator<double>(tiles, set), contains("has no coefficient; accepted is lines"));
}
