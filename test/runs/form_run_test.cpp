// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/form_run.hpp"

#include <cmath>

#include "miniapp/mesh/generate.hpp"
#include "runs/weakform/memory.hpp"
#include "support/catch.hpp"

using weakform::FormKind;
using weakform::FormProblem;
using weakform::Measured;
using weakform::OrderedForm;
using weakform::Strategy;
using weakform::Way;

namespace {

const Way tiles{{.strategy = Strategy::tiles}};

/// What is right, to be changed: problems hand out their last one.
OrderedForm& expected(FormProblem& problem) { return const_cast<OrderedForm&>(*problem.ordered(tiles)); }

}  // namespace

TEST_CASE("Meshes have about as many cells as asked for", "[weakform][run]") {
  CHECK(weakform::make_mesh(2, weakform::box_sides(2, 200)).num_elements() == 200);
  CHECK(weakform::make_mesh(3, weakform::box_sides(3, 6000)).num_elements() == 6000);
  CHECK(weakform::make_mesh(3, weakform::box_sides(3, 1)).num_elements() == 48);
  CHECK(weakform::make_mesh(2, weakform::box_sides(2, 1)).kind == mesh::CellKind::triangle);
}

TEST_CASE("A wrong entry of the residual or of the Jacobian's action is seen, and not timed", "[weakform][run]") {
  const int dim = GENERATE(2, 3);
  const weakform::FormSettings settings{.dim = dim, .repeat = {1}};
  const mesh::Mesh mesh = weakform::make_mesh(dim, weakform::box_sides(dim, 300));
  FormProblem problem(FormKind::helmholtz, settings, mesh, {});
  OrderedForm& right = expected(problem);
  const Measured before = measure_form(problem, tiles);
  CHECK(before.error() <= 1);
  CHECK(before.residual.median > 0);
  const bool of_action = GENERATE(false, true);
  const double wrong = GENERATE(1e-3, double(NAN));

  (of_action ? right.action : right.residual)[7] += wrong;
  const Measured after = measure_form(problem, tiles);

  CHECK(after.error() > 1);
  CHECK(after.residual.median == 0);
  CHECK(after.jacobian.median == 0);
}

TEST_CASE("Ways share a mesh that nobody reorders, and have an order each otherwise", "[weakform][run]") {
  const weakform::FormSettings settings{.dim = 2, .verify_only = true};
  const mesh::Mesh mesh = mesh::shuffle(weakform::make_mesh(2, weakform::box_sides(2, 300)), 1);
  FormProblem problem(FormKind::poisson, settings, mesh, {});
  const auto plain = problem.ordered(tiles);
  CHECK(problem.ordered({{.strategy = Strategy::owner, .block_size = 7}}) == plain);
  CHECK(plain->first_cell.empty());

  Way way{{.strategy = Strategy::tiles, .block_size = 32}, graph::Reorder::blocks};
  const auto blocks = problem.ordered(way);
  CHECK(std::size_t(blocks->first_cell.back()) == mesh.num_elements());
  CHECK(blocks->mesh.element_to_vertex.entries != mesh.element_to_vertex.entries);
  way.options.block_size = 16;
  CHECK(problem.ordered(way)->first_cell.size() > blocks->first_cell.size());
  way.options.strategy = Strategy::owner;
  CHECK(problem.ordered(way)->first_cell.empty());
}

TEST_CASE("Blocks that do not fit are refused before there is a mesh", "[weakform][run]") {
  weakform::Options options{.strategy = Strategy::transposed, .blocks = 1};
  CHECK_NOTHROW(weakform::require_able(FormKind::poisson, {}, options));
  options.blocks = 4096;
  CHECK_THROWS_AS(weakform::require_able(FormKind::poisson, {}, options), InputError);
}

TEST_CASE("Memory grows with cells, components and points, and with what a strategy keeps", "[weakform][run]") {
  const auto need = [](FormKind kind, int layers, const Way& way, Precision precision = Precision::fp64) {
    return memory_need(kind, {.precision = precision, .sides = {100, 100, layers}}, way).total();
  };
  const Way cells{{.strategy = Strategy::cells}}, owner{{.strategy = Strategy::owner}},
      transposed{{.strategy = Strategy::transposed}}, metis{{.strategy = Strategy::tiles}, graph::Reorder::metis};
  const double one = need(FormKind::poisson, 20, tiles);
  CHECK(need(FormKind::poisson, 40, tiles) > 1.8 * one);
  CHECK(need(FormKind::neo_hookean, 20, tiles) > one);
  CHECK(need(FormKind::poisson, 20, owner) > one);
  CHECK(need(FormKind::poisson, 20, cells) < one);
  CHECK(need(FormKind::poisson, 20, metis) > 3 * one);
  const double stored = need(FormKind::poisson, 20, transposed);
  CHECK(stored - need(FormKind::poisson, 20, transposed, Precision::fp32) > 1.2 * 104e6 * 0.999);
  CHECK(need(FormKind::helmholtz, 20, transposed) - stored == test::Approx(1.2 * 3 * 4 * 8e6));
}
