// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/order.hpp"

#include <set>

#include "miniapp/weakform/case.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

std::multiset<std::vector<Index>> cells(const mesh::Mesh& mesh) {
  std::multiset<std::vector<Index>> all;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    all.insert({mesh.element_to_vertex[e], mesh.element_to_vertex[e] + mesh.element_to_vertex.arity});
  return all;
}

std::unique_ptr<BoundForm> bind_on(const mesh::Mesh& mesh, const Options& options) {
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  auto form = bind(FormKind::variable_poisson, Precision::fp64, mesh, space, options);
  std::vector<double> u;
  for (const mesh::Point& x : node_points(mesh, space)) u.push_back(x[0] * x[0] - x[1]);
  form->set_state(u);
  return form;
}

}  // namespace

TEST_CASE("An order changes neither cells nor vertices", "[weakform][order]") {
  const mesh::Mesh mesh = make_simplices(GENERATE(2, 3), 6);
  const graph::Reorder reorder = GENERATE(graph::Reorder::rcm, graph::Reorder::blocks, graph::Reorder::bisection);

  const OrderedMesh ordered = order_cells(mesh, GENERATE(Strategy::tiles, Strategy::owner), reorder, 32);

  CHECK(ordered.mesh.vertices == mesh.vertices);
  CHECK(cells(ordered.mesh) == cells(mesh));
  CHECK(ordered.mesh.element_to_vertex.entries != mesh.element_to_vertex.entries);
  REQUIRE(ordered.first_cell.size() > 2);
  CHECK(ordered.first_cell.front() == 0);
  CHECK(ordered.first_cell.back() == static_cast<Index>(mesh.num_elements()));
}

TEST_CASE("Blocks of tiles follow the order, and share fewer nodes than those of a shuffled mesh",
          "[weakform][order]") {
  const mesh::Mesh mesh = make_simplices(3, 9);
  const OrderedMesh ordered = order_cells(mesh, Strategy::tiles, graph::Reorder::blocks, 100);

  const auto before = bind_on(mesh, {.strategy = Strategy::tiles, .block_size = 100}),
             after = bind_on(ordered.mesh,
                             {.strategy = Strategy::tiles, .block_size = 100, .first_cell = ordered.first_cell});
  after->run(Instance());

  CHECK(after->figures().most_positions == 100);
  CHECK(after->figures().reuse_factor > 2 * before->figures().reuse_factor);
  CHECK_THAT(values(after->result()), all_close<double>(values(after->reference()), 64, 1));
}

TEST_CASE("Owners of an ordered mesh compute fewer cells twice than those of a shuffled one", "[weakform][order]") {
  const mesh::Mesh mesh = make_simplices(3, 9);
  const OrderedMesh ordered = order_cells(mesh, Strategy::owner, graph::Reorder::bisection, 64);

  const auto before = bind_on(mesh, {.block_size = 64}), after = bind_on(ordered.mesh, {.block_size = 64});
  after->run(Instance());

  CHECK(after->figures().redundancy >= 1);
  CHECK(after->figures().redundancy < 0.75 * before->figures().redundancy);
  CHECK_THAT(values(after->result()), all_close<double>(values(after->reference()), 64, 1));
}

TEST_CASE("An order has blocks of one cell at least", "[weakform][order]") {
  const mesh::Mesh mesh = make_simplices(2, 3);

  CHECK_THROWS_WITH(order_cells(mesh, Strategy::tiles, graph::Reorder::none, 0), contains("block_size 0"));
  CHECK(order_cells(mesh, Strategy::tiles, graph::Reorder::none, 1).first_cell.size() == mesh.num_elements() + 1);
}
