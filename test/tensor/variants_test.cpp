// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "support/variants.hpp"

TEMPLATE_TEST_CASE("A kernel that cannot run is bad input; the message names it and says why",
                   "[tensor][element_operator]", double, float) {
  const int order = GENERATE(range(1, 16));
  const Kernel kernel = GENERATE(from_range(tensor::kernels()));
  const Variant variant{kernel, GENERATE(Geometry::computed, Geometry::stored)};
  const Problem problem = any_problem();
  const std::string reason = tensor::why_not(variant, problem, order, sizeof(TestType));
  if (reason.empty()) return;
  const Discretisation d(make_turned_box(1, 1, 1), problem, order, Boundary::neumann, lambda);

  CHECK_THROWS_AS(tensor::make_operator<TestType>(variant, d), InputError);
  CHECK_THROWS_WITH(tensor::make_operator<TestType>(variant, d),
                    contains("kernel " + tensor::name(kernel)) && contains(reason));
}

TEST_CASE("Lanes need a host and lines a GPU; both take every geometry", "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const int word = GENERATE(4, 8);
  const Geometry geometry = GENERATE(from_range(members<Geometry>()));

  CHECK(tensor::why_not({Kernel::lanes, geometry}, problem, order, word).empty() == runs_on_host);
  CHECK(tensor::why_not({Kernel::lines, geometry}, problem, order, word).empty() != runs_on_host);
  CHECK(tensor::why_not(tensor::reference_variant, problem, order, word).empty());
}

TEST_CASE("Tiles are for BP3.5 of order 7 in double precision", "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const int word = GENERATE(4, 8);
  const bool fits = has_warps && problem == Problem::bp3_5 && order == 7 && word == 8;

  CHECK(tensor::why_not({Kernel::tiles, Geometry::computed}, problem, order, word).empty() == fits);
}

TEST_CASE("Rungs exist in double precision, those with one thread per point only where a team can have as many",
          "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  const int last_cubic = problem == Problem::bp1_0 ? 15 : problem == Problem::bp3_0 ? 8 : 9;
  const auto reason = [&](Kernel rung, int word) {
    return tensor::why_not({rung, Geometry::stored}, problem, order, word);
  };

  CHECK(reason(tensor::rung(1), 8).empty() == (order <= last_cubic));
  CHECK(reason(tensor::rung(2), 8).empty() == (order <= last_cubic));
  CHECK(reason(tensor::rung(3), 8).empty());
  CHECK(reason(tensor::rung(8), 8).empty());
  CHECK_THAT(reason(tensor::rung(3), 4), contains("double precision only"));
}

TEST_CASE("A rung that only a longer ladder has is refused by name and stores nothing of its own",
          "[tensor][element_operator]") {
  const Problem problem = any_problem();
  const int order = tensor::built_orders().front();
  const Variant last{tensor::rung(tensor::most_rungs), Geometry::stored}, first{tensor::rung(1), last.geometry};
  CHECK_THAT(tensor::idea(last.kernel, problem), contains("the ladder of " + tensor::name(problem) + " has "));
  CHECK(tensor::why_not(last, problem, order) == tensor::idea(last.kernel, problem));
  const auto memory = [&](const Variant& variant) {
    return tensor::estimated_memory(variant, problem, order, 10, 100, 8);
  };
  CHECK(memory(last) > 0);
  CHECK(memory(last) <= memory(first));
}

TEST_CASE("A kernel says which geometry it takes", "[tensor][element_operator]") {
  const int order = tensor::built_orders().front();
  const auto reason = [&](Kernel kernel, Geometry geometry) {
    return tensor::why_not({kernel, geometry}, Problem::bp1_0, order);
  };

  CHECK(reason(tensor::rung(8), Geometry::computed) == "reads stored factors only");
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

TEST_CASE("First rungs write their tables to scratch and read one entry of them per product",
          "[tensor][element_operator]") {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const auto problem = GENERATE(Problem::bp1_0, Problem::bp3_0, Problem::bp3_5);
  const Discretisation d(make_turned_box(1, 1, 1), problem, order, Boundary::neumann, lambda);
  const int n = order + 1, m = order + 2, nodes = n * n * n, points = m * m * m;
  const double at_points = problem == Problem::bp1_0   ? points
                           : problem == Problem::bp3_0 ? 20 * points
                                                       : 20 * nodes;  // operations of no contraction
  const double products = (tensor::cost(problem, order, 1).flops - at_points) / 2;
  const int tables = problem == Problem::bp1_0 ? m * n : problem == Problem::bp3_0 ? m * n + m * m : n * n;

  const Variant rung{tensor::rung(1), Geometry::stored};
  if (!tensor::why_not(rung, problem, order, sizeof(double)).empty()) return;  // too many threads

  const auto op = tensor::make_operator<double>(rung, d);

  CHECK(double(op->scratch_traffic()) == 8 * (tables + products));
}

TEST_CASE("Built orders are different, from 1 to 15", "[tensor][element_operator]") {
  std::vector<int> orders = tensor::built_orders();

  std::sort(orders.begin(), orders.end());

  REQUIRE_FALSE(orders.empty());
  CHECK(orders.front() >= 1);
  CHECK(orders.back() <= 15);
  CHECK(std::adjacent_find(orders.begin(), orders.end()) == orders.end());
}

TEST_CASE("Every kernel has a unique name and an idea", "[tensor][element_operator]") {
  std::vector<std::string> names;
  for (const Kernel kernel : tensor::kernels()) {
    names.push_back(tensor::name(kernel));
    for (const Problem problem : members<Problem>()) CHECK_FALSE(tensor::idea(kernel, problem).empty());
  }

  std::sort(names.begin(), names.end());

  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEMPLATE_TEST_CASE("The memory that a kernel is said to need is at least what it stores", "[tensor][element_operator]",
                   double, float) {
  const int order = GENERATE(from_range(tensor::built_orders()));
  const Problem problem = any_problem();
  mesh::Mesh mesh = order < 8 ? mesh::make_box(16, 8, 8) : mesh::make_box(32, 1, 1);
  const bool right = GENERATE(true, false);
  if (!right) mesh::deform(mesh, 0.1);
  const Discretisation d(std::move(mesh), problem, order, any_boundary(), lambda);

  for (const Variant& variant : variants<TestType>(d)) {
    const auto stored = tensor::make_operator<TestType>(variant, d)->memory();
    const double estimate = tensor::estimated_memory(variant, problem, order, double(d.mesh->num_elements()),
                                                     d.space.num_nodes, sizeof(TestType));
    const double needed = double(stored.factors + stored.indices + stored.local_vectors);
    CAPTURE(tensor::name(variant), tensor::name(problem), order, stored.factors, stored.indices, stored.local_vectors);
    CHECK(estimate >= needed);
  }
}

TEST_CASE("Memory grows with the elements and with the word", "[tensor][element_operator]") {
  const Kernel kernel = GENERATE(from_range(tensor::kernels()));
  const Geometry geometry = GENERATE(from_range(members<Geometry>()));
  const Problem problem = any_problem();

  const double one = tensor::estimated_memory({kernel, geometry}, problem, 3, 1e6, 27e6, 4);

  CHECK(tensor::estimated_memory({kernel, geometry}, problem, 3, 2e6, 54e6, 4) ==
        Approx(2 * one).epsilon(kernel == Kernel::lanes ? 1e-3 : 0));
  const double twice_the_word = tensor::estimated_memory({kernel, geometry}, problem, 3, 1e6, 27e6, 8);
  CHECK((kernel == Kernel::reference ? twice_the_word == one : twice_the_word > one));  // the reference keeps doubles
}

TEST_CASE("A discretisation integrates at the points of its problem", "[tensor][element_operator]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 4);

  const Discretisation d(make_turned_box(3, 2, 5), problem, order, Boundary::dirichlet, lambda);

  CHECK(d.rule().points ==
        (problem == Problem::bp3_5 ? basis::gauss_lobatto(order + 1) : basis::gauss(order + 2)).points);
  CHECK(int(d.num_local()) == 30 * (order + 1) * (order + 1) * (order + 1));
  CHECK(d.trilinear.extent(0) == 24 * 30);
  CHECK(d.space.num_dofs() == (3 * order - 1) * (2 * order - 1) * (5 * order - 1));
}

TEST_CASE("A mesh with an element inside out is bad input that names the element", "[tensor][element_operator]") {
  mesh::Mesh mesh = make_shaken_box(3, 2, 5);

  for (int v = 0; v < 8; v += 2) std::swap(mesh.element_to_vertex[17][v], mesh.element_to_vertex[17][v + 1]);

  CHECK_THROWS_AS(Discretisation(mesh, Problem::bp3_0, 2, Boundary::neumann, 1), InputError);
  CHECK_THROWS_WITH(Discretisation(mesh, Problem::bp3_0, 2, Boundary::neumann, 1),
                    contains("mesh: element 17 is inverted"));
}
