// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_operator.hpp"

#include <limits>

#include "miniapp/tensor/reference.hpp"
#include "support/variants.hpp"

namespace {

/// All components of the constrained nodes.
std::vector<std::size_t> masked_entries(const Discretisation& d) {
  std::vector<std::size_t> entries;
  for (const Index node : d.space.masked)
    for (int c = 0; c < d.space.components; ++c) entries.push_back(d.space.entry(node, c));
  return entries;
}

/// Random numbers, NaN at constrained nodes.
std::vector<double> make_input(const Discretisation& d) {
  std::vector<double> x = random_numbers(d.space.num_entries(), 1);
  for (const std::size_t i : masked_entries(d)) x[i] = std::numeric_limits<double>::quiet_NaN();
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
  op.apply(Instance(), to_device<Real>(x), y);
  return values(y);
}

/// Products per entry of the result.
double terms(const Discretisation& d) { return std::pow(d.order + 2.0, 3); }

/// Every kernel against the reference, constrained nodes exactly zero.
template <class Real>
void check_kernels(const Discretisation& d) {
  const std::vector<double> x = make_input(d);
  const Values expected = apply_reference<Real>(d, x);
  for (const Variant& variant : variants<Real>(d)) {
    const auto op = tensor::make_operator<Real>(variant, d);

    const Values y = apply_operator<Real>(*op, x);

    const std::vector<std::size_t> masked = masked_entries(d);
    CAPTURE(tensor::name(variant), tensor::name(d.problem), d.order, d.space.components, masked.size());
    CHECK_THAT(y, all_close<Real>(expected, terms(d)));
    CHECK(std::all_of(masked.begin(), masked.end(), [&](std::size_t i) { return y[i] == 0; }));
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

TEMPLATE_TEST_CASE("Every kernel of every order agrees with the reference on unknowns of several components",
                   "[tensor][element_operator][components]", double, float) {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const bool turned = GENERATE(true, false);

  check_kernels<TestType>(Discretisation(turned ? make_turned_box(3, 2, 3) : make_shaken_box(9, 2, 2), problem, order,
                                         turned ? Boundary::neumann : Boundary::dirichlet, lambda, turned ? 3 : 2));
}

TEST_CASE("The reference applies the scalar operator to each component", "[tensor][element_operator][components]") {
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();
  const Discretisation one(make_turned_box(3, 2, 2), problem, 3, boundary, lambda),
      three(make_turned_box(3, 2, 2), problem, 3, boundary, lambda, 3);
  const std::vector<double> x = make_input(three);
  const std::size_t nodes = one.space.num_nodes;

  const Values y = apply_reference<double>(three, x);

  REQUIRE(x.size() == 3 * nodes);
  for (std::size_t c = 0; c < 3; ++c) {
    const Values expected = apply_reference<double>(one, {x.begin() + c * nodes, x.begin() + (c + 1) * nodes});
    const Values part{{y.entries.begin() + c * nodes, y.entries.begin() + (c + 1) * nodes}};
    CHECK_THAT(part, all_close<double>(expected, 1));
  }
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

  const Values y = apply_operator<TestType>(*tensor::make_operator<TestType>(tensor::reference_variant, d), x);

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

TEMPLATE_TEST_CASE("CG's form of an operator adds to y only where it says so, and computes x . y",
                   "[tensor][element_operator]", double, float) {
  const int order = GENERATE(filter([](int p) { return p <= 3 || p == 7; }, from_range(tensor::built_orders())));
  const Discretisation d(make_turned_box(3, 2, 5), any_problem(), order, any_boundary(), lambda, GENERATE(1, 3));
  const std::vector<double> x = make_input(d);

  for (const Variant& variant : variants<TestType>(d)) {
    const auto op = tensor::make_operator<TestType>(variant, d);
    const double before = op->needs_zeros() ? 0 : std::numeric_limits<double>::quiet_NaN();
    const Vector<TestType> y = to_device<TestType>(std::vector<double>(x.size(), before));
    std::vector<double> masked_x = x;
    for (const std::size_t i : masked_entries(d)) masked_x[i] = 0;
    const Vector<double> energy = to_device<double>(std::vector<double>{99});

    op->apply_to_zero(Instance(), to_device<TestType>(masked_x), y, energy.data());

    CAPTURE(tensor::name(variant), tensor::name(d.problem), order);
    CHECK_THAT(values(y), all_close<TestType>(apply_operator<TestType>(*op, x), terms(d)));
    const double expected = exact_dot(values(to_device<TestType>(masked_x)), values(y));
    CHECK(to_std(energy)[0] == close<TestType>(expected, terms(d) * double(d.num_local()), 1));
  }
}

namespace {

/// Z^T apply_local(Z x) by the layout that the kernel reports.
template <class Real>
Values apply_in_parts(const tensor::ElementOperator<Real>& op, const std::vector<double>& x) {
  const Vector<const Index> nodes = op.local_nodes();
  const Vector<Real> u = make_vector<Real>("u", nodes.extent(0)), v = make_vector<Real>("v", nodes.extent(0));
  streaming::scatter<Real>(Instance(), nodes, to_device<Real>(x), u);
  op.apply_local(Instance(), u, v);
  const std::vector<Index> node = to_std(nodes);
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
  const bool turned = GENERATE(true, false);
  const Discretisation d(turned ? make_turned_box(3, 2, 5) : make_shaken_box(33, 1, 1), problem, order, any_boundary(),
                         lambda, turned ? 1 : 3);
  const std::vector<double> x = make_input(d);

  for (const Variant& variant : variants<TestType>(d)) {
    const auto op = tensor::make_operator<TestType>(variant, d);
    CAPTURE(tensor::name(variant), tensor::name(problem), order);
    CHECK_THAT(apply_in_parts<TestType>(*op, x), all_close<TestType>(apply_operator<TestType>(*op, x), terms(d)));
  }
}

TEST_CASE("E-vectors hold every local node once, and otherwise only padding", "[tensor][element_operator]") {
  const int order = tensor::built_orders().front();
  const Discretisation d(make_turned_box(3, 2, 5), Problem::bp3_0, order, Boundary::neumann, lambda, GENERATE(1, 3));
  std::vector<Index> expected;
  for (int c = 0; c < d.space.components; ++c)
    for (const Index node : d.space.element_to_node.host().entries)
      expected.push_back(static_cast<Index>(d.space.entry(node, c)));
  std::sort(expected.begin(), expected.end());

  for (const Variant& variant : tensor::all_variants()) {
    if (!tensor::why_not(variant, d).empty()) continue;
    std::vector<Index> nodes = to_std(tensor::make_operator<double>(variant, d)->local_nodes());
    nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [](Index node) { return node < 0; }), nodes.end());
    std::sort(nodes.begin(), nodes.end());
    CAPTURE(tensor::name(variant));
    CHECK(nodes == expected);
  }
}

TEST_CASE("The reference has no kernel apart from its gather and scatter", "[tensor][element_operator]") {
  const Discretisation d(make_turned_box(2, 1, 1), Problem::bp3_0, 2, Boundary::neumann, lambda);
  const auto op = tensor::make_operator<double>(tensor::reference_variant, d);
  const Vector<double> u("u", d.num_local()), v("v", d.num_local());

  CHECK_THROWS_AS(op->apply_local(Instance(), u, v), InputError);
}
