// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_operator.hpp"

#include <algorithm>
#include <limits>

#include "miniapp/core/error.hpp"
#include "miniapp/tensor/reference.hpp"
#include "support/meshes.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;
using mesh::Boundary;
using tensor::Discretisation;
using tensor::Geometry;
using tensor::Kernel;
using tensor::Problem;

namespace {

constexpr double lambda = 1.7;

Problem any_problem() { return GENERATE(Problem::bp1_0, Problem::bp3_0, Problem::bp3_5); }
Boundary any_boundary() { return GENERATE(Boundary::neumann, Boundary::dirichlet); }

struct Variant {
  Kernel kernel;
  Geometry geometry;
};
/// Kernels that this build can run at `order`, with every geometry they can do; the reference left out.
std::vector<Variant> variants(int order) {
  std::vector<Variant> able;
  for (const Kernel kernel : tensor::all_kernels)
    for (const Geometry geometry : tensor::all_geometries)
      if (kernel != Kernel::reference && tensor::why_not(kernel, order).empty() &&
          tensor::why_not(kernel, geometry).empty())
        able.push_back({kernel, geometry});
  return able;
}

/// Random numbers, NaN at masked nodes.
std::vector<double> make_input(const Discretisation& d) {
  std::vector<double> x = random_numbers(d.numbering.num_nodes, 1);
  for (const mesh::Index node : d.numbering.masked) x[node] = std::numeric_limits<double>::quiet_NaN();
  return x;
}

template <class Real>
Values apply_reference(const Discretisation& d, const std::vector<double>& x) {
  const std::vector<double> rounded = to_std(to_device<double>(to_std(to_device<Real>(x))));
  const Vector<double> y = make_vector<double>("y", x.size());
  tensor::Reference(d).apply(to_device<double>(rounded), y);
  return values(y);
}

/// A x in an array that held NaN.
template <class Real>
Values apply_operator(const tensor::ElementOperator<Real>& op, const std::vector<double>& x) {
  const Vector<Real> y = to_device<Real>(std::vector<double>(x.size(), std::numeric_limits<double>::quiet_NaN()));
  op.apply(to_device<Real>(x), y);
  return values(y);
}

/// Products behind a number of the result.
double terms(const Discretisation& d) { return std::pow(d.order + 2.0, 3); }

/// Every kernel against the reference, masked nodes exactly zero.
template <class Real>
void check_kernels(const Discretisation& d) {
  const std::vector<double> x = make_input(d);
  const Values expected = apply_reference<Real>(d, x);
  for (const auto& [kernel, geometry] : variants(d.order)) {
    const auto op = tensor::make_operator<Real>(kernel, geometry, d);

    const Values y = apply_operator<Real>(*op, x);

    CAPTURE(tensor::name(kernel), tensor::name(geometry), tensor::name(d.problem), d.order, d.numbering.masked.size());
    CHECK_THAT(y, all_close<Real>(expected, terms(d)));
    CHECK(std::all_of(d.numbering.masked.begin(), d.numbering.masked.end(),
                      [&](mesh::Index node) { return y[node] == 0; }));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("Every kernel of every order agrees with the reference on distorted, turned elements",
                   "[tensor][element_operator]", double, float) {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();

  check_kernels<TestType>(Discretisation(make_turned_box(3, 2, 5), problem, order, boundary, lambda));
}

TEMPLATE_TEST_CASE("Every kernel agrees with the reference where rows continue from element to element",
                   "[tensor][element_operator]", double, float) {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();

  check_kernels<TestType>(Discretisation(make_shaken_box(33, 1, 1), problem, order, boundary, lambda));
}

TEMPLATE_TEST_CASE("Every kernel agrees with the reference on one element alone", "[tensor][element_operator]", double,
                   float) {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();

  check_kernels<TestType>(Discretisation(make_turned_box(1, 1, 1), problem, order, boundary, lambda));
}

TEMPLATE_TEST_CASE("Every kernel agrees with the reference on boxes with inner elements", "[tensor][element_operator]",
                   double, float) {
  const int order = GENERATE(filter([](int p) { return p <= 4; }, from_range(tensor::built_orders())));
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();
  const bool turned = GENERATE(true, false);

  check_kernels<TestType>(
      Discretisation(turned ? make_turned_box(9, 5, 4) : make_shaken_box(9, 5, 4), problem, order, boundary, lambda));
}

TEMPLATE_TEST_CASE("Every kernel agrees with the reference around an edge of many elements",
                   "[tensor][element_operator]", double, float) {
  const int order = GENERATE(filter([](int p) { return p <= 4 || p == 7; }, from_range(tensor::built_orders())));
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();

  check_kernels<TestType>(Discretisation(make_fan(GENERATE(3, 7), 3), problem, order, boundary, lambda));
}

TEMPLATE_TEST_CASE("Every kernel agrees with the reference on a plain box without lambda", "[tensor][element_operator]",
                   double, float) {
  const int order = GENERATE(filter([](int p) { return p <= 4 || p == 7; }, from_range(tensor::built_orders())));
  const Problem problem = any_problem();

  check_kernels<TestType>(Discretisation(mesh::make_box(7, 3, 2), problem, order, Boundary::dirichlet, 0));
}

TEMPLATE_TEST_CASE("The reference as an operator is the reference", "[tensor][element_operator]", double, float) {
  const Discretisation d(make_turned_box(3, 2, 2), any_problem(), 3, any_boundary(), lambda);
  const std::vector<double> x = make_input(d);

  const Values y = apply_operator<TestType>(*tensor::make_operator<TestType>(Kernel::reference, d), x);

  CHECK_THAT(y, all_close<TestType>(apply_reference<TestType>(d, x), 1));
}

TEMPLATE_TEST_CASE("An operator gives the same result when it is applied again", "[tensor][element_operator]", double,
                   float) {
  const int order = tensor::built_orders().back();
  const Discretisation d(make_turned_box(3, 2, 5), any_problem(), order, any_boundary(), lambda);
  const std::vector<double> x = make_input(d);

  for (const auto& [kernel, geometry] : variants(order)) {
    const auto op = tensor::make_operator<TestType>(kernel, geometry, d);
    const Values first = apply_operator<TestType>(*op, x);

    CAPTURE(tensor::name(kernel));
    CHECK_THAT(apply_operator<TestType>(*op, x), all_close<TestType>(first, terms(d)));  // atomics may change the order
  }
}

namespace {

/// Z^T apply_local(Z x) by the layout that the kernel tells.
template <class Real>
Values apply_in_parts(const tensor::ElementOperator<Real>& op, const std::vector<double>& x) {
  const Vector<const mesh::Index> nodes = op.local_nodes();
  const Vector<Real> u = make_vector<Real>("u", nodes.extent(0)), v = make_vector<Real>("v", nodes.extent(0));
  streaming::scatter<Real>(nodes, to_device<Real>(x), u);
  op.apply_local(u, v);
  const std::vector<mesh::Index> node = to_std(nodes);
  const Values local = values(v);
  Values y{std::vector<double>(x.size(), 0)};
  for (std::size_t q = 0; q < node.size(); ++q)
    if (node[q] >= 0) y.entries[node[q]] += local[q];
  return y;
}

}  // namespace

TEMPLATE_TEST_CASE("The kernel alone, between a scatter and a gather, is the operator", "[tensor][element_operator]",
                   double, float) {
  const int order =
      GENERATE(filter([](int p) { return p <= 3 || p == 7 || p == 15; }, from_range(tensor::built_orders())));
  const Problem problem = any_problem();
  const Discretisation d(GENERATE(0, 1) ? make_turned_box(3, 2, 5) : make_shaken_box(33, 1, 1), problem, order,
                         any_boundary(), lambda);
  const std::vector<double> x = make_input(d);

  for (const auto& [kernel, geometry] : variants(order)) {
    const auto op = tensor::make_operator<TestType>(kernel, geometry, d);
    CAPTURE(tensor::name(kernel), tensor::name(problem), order);
    CHECK_THAT(apply_in_parts<TestType>(*op, x), all_close<TestType>(apply_operator<TestType>(*op, x), terms(d)));
  }
}

TEST_CASE("E-vectors hold every local node once and only fill up beside them", "[tensor][element_operator]") {
  const int order = tensor::built_orders().front();
  const Discretisation d(make_turned_box(3, 2, 5), Problem::bp3_0, order, Boundary::neumann, lambda);
  std::vector<mesh::Index> expected = d.numbering.element_to_node.entries;
  std::sort(expected.begin(), expected.end());

  for (const Kernel kernel : tensor::all_kernels) {
    if (!tensor::why_not(kernel, order).empty()) continue;
    std::vector<mesh::Index> nodes = to_std(tensor::make_operator<double>(kernel, d)->local_nodes());
    nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [](mesh::Index node) { return node < 0; }), nodes.end());
    std::sort(nodes.begin(), nodes.end());
    CAPTURE(tensor::name(kernel));
    CHECK(nodes == expected);
  }
}

TEST_CASE("The reference has no kernel apart from its gather and scatter", "[tensor][element_operator]") {
  const Discretisation d(make_turned_box(2, 1, 1), Problem::bp3_0, 2, Boundary::neumann, lambda);
  const auto op = tensor::make_operator<double>(Kernel::reference, d);
  const Vector<double> u("u", d.num_local()), v("v", d.num_local());

  CHECK_THROWS_AS(op->apply_local(u, v), InputError);
}

TEST_CASE("A kernel that cannot run is bad input; the message names it and says why", "[tensor][element_operator]") {
  const int order = GENERATE(range(1, 16));
  const Kernel kernel = GENERATE(from_range(std::begin(tensor::all_kernels), std::end(tensor::all_kernels)));
  const std::string reason = tensor::why_not(kernel, order);
  if (reason.empty()) return;
  const Discretisation d(make_turned_box(1, 1, 1), Problem::bp3_0, order, Boundary::neumann, lambda);

  CHECK_THROWS_AS(tensor::make_operator<double>(kernel, d), InputError);
  CHECK_THROWS_WITH(tensor::make_operator<double>(kernel, d),
                    contains("--kernel " + tensor::name(kernel)) && contains(reason));
}

TEST_CASE("Lanes need a host and lines a GPU", "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));

  CHECK(tensor::why_not(Kernel::lanes, order).empty() == runs_on_host);
  CHECK(tensor::why_not(Kernel::lines, order).empty() != runs_on_host);
  CHECK(tensor::why_not(Kernel::team, order).empty());
  CHECK(tensor::why_not(Kernel::reference, order).empty());
}

TEST_CASE("The fastest kernel can run at every order, built or not", "[tensor][element_operator]") {
  const int order = GENERATE(range(1, 16));

  const Kernel kernel = tensor::fastest(order);

  CHECK(tensor::why_not(kernel, order).empty());
  const std::vector<int> built = tensor::built_orders();
  CHECK((kernel == Kernel::reference) == (std::find(built.begin(), built.end(), order) == built.end()));
}

TEST_CASE("Lanes compute or read their factors; lines compute, the team kernel reads", "[tensor][element_operator]") {
  CHECK(tensor::why_not(Kernel::lanes, Geometry::computed).empty());
  CHECK(tensor::why_not(Kernel::lanes, Geometry::stored).empty());
  CHECK(tensor::why_not(Kernel::lines, Geometry::computed).empty());
  CHECK_FALSE(tensor::why_not(Kernel::lines, Geometry::stored).empty());
  CHECK(tensor::why_not(Kernel::team, Geometry::stored).empty());
  CHECK_FALSE(tensor::why_not(Kernel::team, Geometry::computed).empty());
  CHECK(tensor::name(Geometry::computed) != tensor::name(Geometry::stored));
}

TEST_CASE("A kernel that cannot take its geometry from there is bad input; the message says why",
          "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Discretisation d(make_turned_box(1, 1, 1), Problem::bp3_0, order, Boundary::neumann, lambda);

  CHECK_THROWS_AS(tensor::make_operator<double>(Kernel::team, Geometry::computed, d), InputError);
  CHECK_THROWS_WITH(tensor::make_operator<double>(Kernel::team, Geometry::computed, d),
                    contains("--kernel team") && contains(tensor::why_not(Kernel::team, Geometry::computed)));
}

TEST_CASE("The fastest geometry is one that its kernel can do", "[tensor][element_operator]") {
  const int order = GENERATE(range(1, 16));
  const Kernel kernel = GENERATE(from_range(std::begin(tensor::all_kernels), std::end(tensor::all_kernels)));
  const Geometry any = GENERATE(from_range(std::begin(tensor::all_geometries), std::end(tensor::all_geometries)));

  const Kernel fastest = tensor::fastest(any, order);

  CHECK(tensor::why_not(kernel, tensor::fastest_geometry(kernel, any_problem(), order)).empty());
  CHECK(tensor::why_not(fastest, order).empty());
  CHECK((fastest == Kernel::reference || tensor::why_not(fastest, any).empty()));
}

TEST_CASE("Built orders are different, from 1 to 15", "[tensor][element_operator]") {
  std::vector<int> orders = tensor::built_orders();

  std::sort(orders.begin(), orders.end());

  REQUIRE_FALSE(orders.empty());
  CHECK(orders.front() >= 1);
  CHECK(orders.back() <= 15);
  CHECK(std::adjacent_find(orders.begin(), orders.end()) == orders.end());
}

TEST_CASE("Every kernel has a name of its own and an idea", "[tensor][element_operator]") {
  std::vector<std::string> names;
  for (const Kernel kernel : tensor::all_kernels) {
    names.push_back(tensor::name(kernel));
    CHECK_FALSE(tensor::idea(kernel).empty());
  }

  std::sort(names.begin(), names.end());

  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEMPLATE_TEST_CASE("The memory that a run is told to need is at least what its kernel stores",
                   "[tensor][element_operator]", double, float) {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  // large enough that few lanes are empty
  const Discretisation d(order < 8 ? make_shaken_box(16, 8, 8) : make_shaken_box(32, 1, 1), problem, order,
                         any_boundary(), lambda);

  for (const auto& [kernel, geometry] : variants(order)) {
    const auto stored = tensor::make_operator<TestType>(kernel, geometry, d)->memory();
    const double estimate = tensor::estimated_memory(kernel, geometry, problem, order, double(d.mesh.num_elements()),
                                                     d.numbering.num_nodes, sizeof(TestType));
    const double needed = double(stored.factors + stored.indices + stored.local_vectors) +
                          4.0 * d.numbering.num_nodes * sizeof(TestType);  // x and b, r and p of CG at least
    CAPTURE(tensor::name(kernel), tensor::name(geometry), tensor::name(problem), order, stored.factors, stored.indices,
            stored.local_vectors);
    CHECK(estimate >= needed);
  }
}

TEST_CASE("Memory grows with the elements and with the word", "[tensor][element_operator]") {
  const Kernel kernel = GENERATE(from_range(std::begin(tensor::all_kernels), std::end(tensor::all_kernels)));
  const Geometry geometry = GENERATE(from_range(std::begin(tensor::all_geometries), std::end(tensor::all_geometries)));
  const Problem problem = any_problem();

  const double one = tensor::estimated_memory(kernel, geometry, problem, 3, 1000, 27000, 4);

  CHECK(tensor::estimated_memory(kernel, geometry, problem, 3, 2000, 54000, 4) == 2 * one);
  CHECK(tensor::estimated_memory(kernel, geometry, problem, 3, 1000, 27000, 8) > one);
}

TEST_CASE("A discretisation integrates at the points of its problem", "[tensor][element_operator]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 4);

  const Discretisation d(make_turned_box(3, 2, 5), problem, order, Boundary::dirichlet, lambda);

  CHECK(d.rule().points ==
        (problem == Problem::bp3_5 ? basis::gauss_lobatto(order + 1) : basis::gauss(order + 2)).points);
  CHECK(int(d.num_local()) == 30 * (order + 1) * (order + 1) * (order + 1));
  CHECK(d.trilinear.extent(0) == 24 * 30);
  CHECK(d.numbering.num_dofs() == (3 * order - 1) * (2 * order - 1) * (5 * order - 1));
}

TEST_CASE("A mesh with an element inside out is bad input that names the element", "[tensor][element_operator]") {
  mesh::Mesh mesh = make_shaken_box(3, 2, 5);

  for (int v = 0; v < 8; v += 2) std::swap(mesh.element_to_vertex[17][v], mesh.element_to_vertex[17][v + 1]);

  CHECK_THROWS_AS(Discretisation(mesh, Problem::bp3_0, 2, Boundary::neumann, 1), InputError);
  CHECK_THROWS_WITH(Discretisation(mesh, Problem::bp3_0, 2, Boundary::neumann, 1),
                    contains("mesh: element 17 is inverted"));
}
