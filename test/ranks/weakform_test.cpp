// SPDX-License-Identifier: BSD-3-Clause
// Weak forms on distributed meshes: parts are those of the whole mesh, and so are residuals.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/agree.hpp"
#include "miniapp/core/error.hpp"
#include "support/all_close.hpp"
#include "support/parts.hpp"
#include "support/simplex_meshes.hpp"
#include "weakform/form_run.hpp"

using namespace miniapp;
using namespace miniapp::test;
using weakform::FormKind;
using weakform::Strategy;

namespace {

/// (entry): value of an unknown of the whole mesh, by the number of its vertex and its component.
double value_at(std::int64_t vertex, int component) { return std::sin(1.7 * double(vertex) + 0.9 * component); }

/// The residual or the Jacobian's action of a form, by (vertex of the whole mesh, component).
struct Found {
  std::map<std::pair<std::int64_t, int>, double> residual, action, reference;
};

Found find(FormKind kind, const mesh::Mesh& mesh, Strategy strategy) {
  const space::Space space =
      make_space(mesh, 1, facts(kind, mesh::dimension(mesh.kind)).components, space::Boundary::dirichlet, Layout::aos);
  std::vector<std::int64_t> vertex(space.num_nodes);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int v = 0; v < space.element_to_node.arity(); ++v) {
      const Index node = space.element_to_node.host()[e][v], at = mesh.element_to_vertex[e][v];
      vertex[node < 0 ? ~node : node] = mesh.part.vertices.empty() ? at : mesh.part.vertices[at];
    }
  std::vector<double> state, direction;
  for (const std::int64_t number : vertex)
    for (int c = 0; c < space.components; ++c) {
      state.push_back((kind == FormKind::neo_hookean ? 0.003 : 1) * value_at(number, c));
      direction.push_back(value_at(number, c + 5));
    }
  for (const Index node : space.masked)
    for (int c = 0; c < space.components; ++c) direction[space.entry(node, c)] = 0;
  const auto form = bind(kind, Precision::fp64, mesh, space, {.strategy = strategy});
  form->set_state(state);
  form->set_direction(direction);
  Found found;
  const auto note = [&](auto& map, const std::vector<double>& values) {
    for (Index node = 0; node < space.num_nodes; ++node)
      for (int c = 0; c < space.components; ++c) map[{vertex[node], c}] = values[space.entry(node, c)];
  };
  form->run(Instance());
  note(found.residual, form->result());
  form->run_jacobian(Instance());
  note(found.action, form->result());
  note(found.reference, form->reference());
  return found;
}

/// The values of `right` where `found` has some.
template <class Map>
void check_values(const Map& found, const Map& right) {
  test::Values values, expected;
  for (const auto& [unknown, value] : found) {
    values.entries.push_back(value);
    expected.entries.push_back(right.at(unknown));
  }
  double scale = 0;
  for (const auto& [unknown, value] : right) scale = std::max(scale, std::fabs(value));
  CHECK_THAT(values, all_close<double>(expected, 64, scale));
}

}  // namespace

TEST_CASE("Parts of generated simplices are those of the whole mesh", "[ranks][weakform][mesh]") {
  const int dim = GENERATE(2, 3);
  const graph::Partition partition = GENERATE(graph::Partition::rcb, graph::Partition::linear);
  const Communicator world = Communicator::world();
  const std::int64_t cells = dim == 2 ? 110 : 400;
  const mesh::Mesh whole = weakform::make_mesh(dim, cells), part = weakform::make_mesh(dim, cells, world, partition);

  CHECK(world.sum(std::int64_t(part.num_elements())) == std::int64_t(whole.num_elements()));
  REQUIRE(part.kind == whole.kind);
  if (world.is_alone()) return;
  REQUIRE(part.part.vertices.size() == part.vertices.size());
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    REQUIRE(part.vertices[v] == whole.vertices[part.part.vertices[v]]);
  for (std::size_t e = 0; e < part.num_elements(); ++e)
    for (int v = 0; v <= dim; ++v)
      REQUIRE(part.part.vertices[part.element_to_vertex[e][v]] == whole.element_to_vertex[part.part.elements[e]][v]);
}

TEST_CASE("A part that is shuffled has the same elements in another order", "[ranks][weakform][mesh]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = weakform::make_mesh(3, 400, world), shuffled = mesh::shuffle(part, 1);
  if (world.is_alone()) return;
  CHECK(shuffled.vertices == part.vertices);
  CHECK(shuffled.part.vertices == part.part.vertices);
  CHECK(shuffled.part.elements != part.part.elements);
  std::map<std::int64_t, std::size_t> place;
  for (std::size_t e = 0; e < part.num_elements(); ++e) place[part.part.elements[e]] = e;
  for (std::size_t e = 0; e < part.num_elements(); ++e)
    for (int v = 0; v < 4; ++v)
      REQUIRE(shuffled.element_to_vertex[e][v] == part.element_to_vertex[place.at(shuffled.part.elements[e])][v]);
}

TEST_CASE("Residuals on parts are those of the whole mesh, by every strategy", "[ranks][weakform]") {
  const int dim = GENERATE(2, 3);
  const FormKind kind = GENERATE(FormKind::variable_poisson, FormKind::neo_hookean);
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = make_simplices(dim, 4), part = take_part(whole, world, 2);
  CAPTURE(name(kind), dim);
  const Found expected = find(kind, whole, Strategy::reference);
  for (const Strategy strategy : members<Strategy>()) {
    CAPTURE(name(strategy));
    const Found found = find(kind, part, strategy);
    check_values(found.residual, expected.residual);
    check_values(found.action, expected.action);
    check_values(found.reference, expected.reference);
  }
}

TEST_CASE("Norms and errors of a form count every rank and every unknown once", "[ranks][weakform]") {
  const int dim = GENERATE(2, 3);
  const Strategy strategy = GENERATE(Strategy::tiles, Strategy::transposed);
  const Communicator world = Communicator::world();
  weakform::FormSettings settings;
  settings.dim = dim;
  settings.verify_only = true;
  const mesh::Mesh whole = weakform::make_mesh(dim, 500), part = weakform::make_mesh(dim, 500, world);
  const auto measure = [&](const mesh::Mesh& mesh) {
    weakform::FormProblem problem(FormKind::helmholtz, settings, mesh, {});
    return std::pair(measure_form(problem, {{.strategy = strategy}}), problem.num_cells());
  };
  const auto [alone, all_cells] = measure(whole);
  const auto [found, cells] = measure(part);

  CHECK(found.error() <= 1);
  CHECK(cells == all_cells);
  CHECK(found.num_entries == alone.num_entries);
  CHECK(found.residual_norm == Approx(alone.residual_norm).epsilon(1e-12));
  CHECK(found.residual_tolerance == Approx(alone.residual_tolerance).epsilon(1e-9));
  CHECK(found.action_tolerance == Approx(alone.action_tolerance).epsilon(1e-9));
  CHECK(found.flops == Approx(alone.flops).epsilon(1e-12));
  CHECK(found.of_ranks.figures.empty() == world.is_alone());
  for (const auto& [what, spread] : found.of_ranks.figures)
    if (what == "owned_nodes") CHECK(spread.mean * world.size() == Approx(double(alone.num_entries)));
}

TEST_CASE("What one rank refuses all refuse, with the words of the lowest", "[ranks][core]") {
  const Communicator world = Communicator::world();
  agree(world, [] {});
  const int first = world.size() / 2;
  try {
    agree(world, [&] {
      if (world.rank() >= first) throw InputError("rank " + std::to_string(world.rank()) + " refuses");
    });
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(error.what() == "rank " + std::to_string(first) + " refuses");
  }
}
