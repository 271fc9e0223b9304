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
using tensor::Variant;

namespace {

constexpr double lambda = 1.7;

Problem any_problem() { return GENERATE(Problem::bp1_0, Problem::bp3_0, Problem::bp3_5); }
Boundary any_boundary() { return GENERATE(Boundary::neumann, Boundary::dirichlet); }

/// What this build can run on `d` in the precision of Real, the reference left out.
template <class Real>
std::vector<Variant> variants(const Discretisation& d) {
  std::vector<Variant> able;
  for (const Variant& variant : tensor::all_variants())
    if (variant.kernel != Kernel::reference && tensor::why_not(variant, d.problem, d.order, sizeof(Real)).empty())
      able.push_back(variant);
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
  for (const Variant& variant : variants<Real>(d)) {
    const auto op = tensor::make_operator<Real>(variant, d);

    const Values y = apply_operator<Real>(*op, x);

    CAPTURE(tensor::name(variant), tensor::name(d.problem), d.order, d.numbering.masked.size());
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

  const Values y = apply_operator<TestType>(*tensor::make_operator<TestType>(tensor::judge, d), x);

  CHECK_THAT(y, all_close<TestType>(apply_reference<TestType>(d, x), 1));
}

TEMPLATE_TEST_CASE("An operator gives the same result when it is applied again", "[tensor][element_operator]", double,
                   float) {
  const int order = tensor::built_orders().back();
  const Discretisation d(make_turned_box(3, 2, 5), any_problem(), order, any_boundary(), lambda);
  const std::vector<double> x = make_input(d);

  for (const Variant& variant : variants<TestType>(d)) {
    const auto op = tensor::make_operator<TestType>(variant, d);
    const Values first = apply_operator<TestType>(*op, x);

    CAPTURE(tensor::name(variant));
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

  for (const Variant& variant : variants<TestType>(d)) {
    const auto op = tensor::make_operator<TestType>(variant, d);
    CAPTURE(tensor::name(variant), tensor::name(problem), order);
    CHECK_THAT(apply_in_parts<TestType>(*op, x), all_close<TestType>(apply_operator<TestType>(*op, x), terms(d)));
  }
}

TEST_CASE("E-vectors hold every local node once and only fill up beside them", "[tensor][element_operator]") {
  const int order = tensor::built_orders().front();
  const Discretisation d(make_turned_box(3, 2, 5), Problem::bp3_0, order, Boundary::neumann, lambda);
  std::vector<mesh::Index> expected = d.numbering.element_to_node.entries;
  std::sort(expected.begin(), expected.end());

  for (const Variant& variant : tensor::all_variants()) {
    if (!tensor::why_not(variant, d.problem, order).empty()) continue;
    std::vector<mesh::Index> nodes = to_std(tensor::make_operator<double>(variant, d)->local_nodes());
    nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [](mesh::Index node) { return node < 0; }), nodes.end());
    std::sort(nodes.begin(), nodes.end());
    CAPTURE(tensor::name(variant));
    CHECK(nodes == expected);
  }
}

TEST_CASE("The reference has no kernel apart from its gather and scatter", "[tensor][element_operator]") {
  const Discretisation d(make_turned_box(2, 1, 1), Problem::bp3_0, 2, Boundary::neumann, lambda);
  const auto op = tensor::make_operator<double>(tensor::judge, d);
  const Vector<double> u("u", d.num_local()), v("v", d.num_local());

  CHECK_THROWS_AS(op->apply_local(u, v), InputError);
}

TEMPLATE_TEST_CASE("A kernel that cannot run is bad input; the message names it and says why",
                   "[tensor][element_operator]", double, float) {
  const int order = GENERATE(range(1, 16));
  const Kernel kernel = GENERATE(from_range(std::begin(tensor::all_kernels), std::end(tensor::all_kernels)));
  const Variant variant{kernel, GENERATE(Geometry::computed, Geometry::stored)};
  const Problem problem = any_problem();
  const std::string reason = tensor::why_not(variant, problem, order, sizeof(TestType));
  if (reason.empty()) return;
  const Discretisation d(make_turned_box(1, 1, 1), problem, order, Boundary::neumann, lambda);

  CHECK_THROWS_AS(tensor::make_operator<TestType>(variant, d), InputError);
  CHECK_THROWS_WITH(tensor::make_operator<TestType>(variant, d),
                    contains("--kernel " + tensor::name(kernel)) && contains(reason));
}

TEST_CASE("Lanes need a host and lines a GPU; both take either geometry", "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const int word = GENERATE(4, 8);
  const Geometry geometry = GENERATE(Geometry::computed, Geometry::stored);

  CHECK(tensor::why_not({Kernel::lanes, geometry}, problem, order, word).empty() == runs_on_host);
  CHECK(tensor::why_not({Kernel::lines, geometry}, problem, order, word).empty() != runs_on_host);
  CHECK(tensor::why_not(tensor::judge, problem, order, word).empty());
}

TEST_CASE("Tiles are for BP3.5 of order 7 in double precision", "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const int word = GENERATE(4, 8);
  const bool fits = has_warps && problem == Problem::bp3_5 && order == 7 && word == 8;

  CHECK(tensor::why_not({Kernel::tiles, Geometry::computed}, problem, order, word).empty() == fits);
}

TEST_CASE("Rungs exist in double precision, those with a thread a point where a team has so many",
          "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const int last_cubic = problem == Problem::bp1_0 ? 15 : problem == Problem::bp3_0 ? 8 : 9;
  const auto reason = [&](Kernel rung, int word) {
    return tensor::why_not({rung, Geometry::stored}, problem, order, word);
  };

  CHECK(reason(Kernel::rung1, 8).empty() == (order <= last_cubic));
  CHECK(reason(Kernel::rung2, 8).empty() == (order <= last_cubic));
  CHECK(reason(Kernel::rung3, 8).empty());
  CHECK(reason(Kernel::rung8, 8).empty());
  CHECK_THAT(reason(Kernel::rung3, 4), contains("double precision only"));
}

TEST_CASE("A kernel says which geometry it takes", "[tensor][element_operator]") {
  const int order = tensor::built_orders().front();
  const auto reason = [&](Kernel kernel, Geometry geometry) {
    return tensor::why_not({kernel, geometry}, Problem::bp1_0, order);
  };

  CHECK(reason(Kernel::rung8, Geometry::computed) == "reads stored factors only");
  CHECK(reason(Kernel::reference, Geometry::stored) == "computes its factors only");
  CHECK(tensor::name(Geometry::computed) != tensor::name(Geometry::stored));
}

TEST_CASE("A kernel of teams tells what they take", "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Discretisation d(make_turned_box(1, 1, 1), any_problem(), order, Boundary::neumann, lambda);

  for (const Variant& variant : variants<double>(d)) {
    const auto op = tensor::make_operator<double>(variant, d);
    const TeamResources resources = op->resources();
    CAPTURE(tensor::name(variant), tensor::name(d.problem), order);
    const bool teams = variant.kernel != Kernel::lanes;
    CHECK((resources.threads > 0) == teams);
    CHECK(resources.threads <= 1024);
    CHECK(resources.scratch_bytes <= 227 * 1024);
    CHECK((op->scratch_traffic() > 0) == teams);
    if (runs_on_host || !teams) continue;
    CHECK(resources.registers > 0);
    CHECK(resources.teams_at_once > 0);
    CHECK(resources.occupancy > 0);
    CHECK(resources.occupancy <= 1);
  }
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
    for (const Problem problem : {Problem::bp1_0, Problem::bp3_0, Problem::bp3_5})
      CHECK_FALSE(tensor::idea(kernel, problem).empty());
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

  for (const Variant& variant : variants<TestType>(d)) {
    const auto stored = tensor::make_operator<TestType>(variant, d)->memory();
    const double estimate = tensor::estimated_memory(variant, problem, order, double(d.mesh.num_elements()),
                                                     d.numbering.num_nodes, sizeof(TestType));
    const double needed = double(stored.factors + stored.indices + stored.local_vectors) +
                          4.0 * d.numbering.num_nodes * sizeof(TestType);  // x and b, r and p of CG at least
    CAPTURE(tensor::name(variant), tensor::name(problem), order, stored.factors, stored.indices, stored.local_vectors);
    CHECK(estimate >= needed);
  }
}

TEST_CASE("Memory grows with the elements and with the word", "[tensor][element_operator]") {
  const Kernel kernel = GENERATE(from_range(std::begin(tensor::all_kernels), std::end(tensor::all_kernels)));
  const Geometry geometry = GENERATE(from_range(std::begin(tensor::all_geometries), std::end(tensor::all_geometries)));
  const Problem problem = any_problem();

  const double one = tensor::estimated_memory({kernel, geometry}, problem, 3, 1000, 27000, 4);

  CHECK(tensor::estimated_memory({kernel, geometry}, problem, 3, 2000, 54000, 4) == 2 * one);
  CHECK(tensor::estimated_memory({kernel, geometry}, problem, 3, 1000, 27000, 8) > one);
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
